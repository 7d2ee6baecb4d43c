import { Effect, Predicate, Result, Schema } from "effect";
import { errorsOf } from "../../Input.ts";
import type { Greeting } from "../McpConnector.ts";
import * as ServerText from "../ServerText.ts";
import type { ToolDefinition } from "../Tool.ts";
import { isTooDeep, maxLevels } from "./Depth.ts";
import * as OutputSchema from "./OutputSchema.ts";
import * as SchemaRepair from "./SchemaRepair.ts";

/**
 * Definitions of tools as their servers send them. Clients judge a list as a whole: if they cannot
 * read one definition, they lose every tool. So each definition is repaired if its meaning does not
 * change, then checked, and only definitions that fail are withheld.
 */

/** The largest definition, as JSON. */
export const maxBytes = 64 * 1024;

/** The used part of a server's list: its first tools, up to this number and these bytes. */
export const maxTools = 2_000;
export const maxListBytes = 8 * 1024 * 1024;

/** A tool of a server's list. */
export interface ListedTool {
  /** Empty if the server sent no name. */
  readonly name: string;
  /** The repaired definition; null if it is too large to be stored, or not an object. */
  readonly definition: ToolDefinition | null;
  /** The reason why it is withheld; null if it is not. */
  readonly problem: string | null;
}

/** A server's list. */
export interface Listing {
  /** In the server's order, with one entry per name. */
  readonly tools: ReadonlyArray<ListedTool>;
  /** Names that the list repeats: only the first tool with a name is used. */
  readonly repeated: ReadonlyArray<string>;
  /** The number of listed tools, if the limits exclude some of them. */
  readonly cutAt: number | null;
}

/** A server's information about itself, and its lists. */
export interface ServerListing extends Listing {
  readonly greeting: Greeting;
  /** Null if the server has prompts and did not list them. */
  readonly prompts: Listing | null;
}

const optional = Schema.optionalKey;
const Json = Schema.Record(Schema.String, Schema.Unknown);

export const Icons = Schema.Array(
  Schema.Struct({
    src: Schema.String,
    mimeType: optional(Schema.String),
    sizes: optional(Schema.Array(Schema.String)),
    theme: optional(Schema.Literals(["light", "dark"])),
  }),
);

const ObjectSchema = Schema.Struct({
  $schema: optional(Schema.String),
  type: Schema.Literal("object"),
  properties: optional(Schema.Record(Schema.String, Json)),
  required: optional(Schema.Array(Schema.String)),
});

/**
 * The schema that every client of the protocol versions 2024-11-05 to 2026-07-28 accepts. It is
 * `ToolSchema` of the official SDKs (1.32: `types.ts`; 2.4: the schemas of both eras), each member
 * in its strictest form: objects as properties and the root type `object` are of 2025-11-25,
 * `$schema` is of 2026-07-28. Tests compare it with the SDKs.
 */
const Strictest = Schema.Struct({
  name: Schema.String.check(Schema.isMinLength(1, { message: "It has no name" })),
  title: optional(Schema.String),
  description: optional(Schema.String),
  inputSchema: ObjectSchema,
  outputSchema: optional(ObjectSchema),
  annotations: optional(
    Schema.Struct({
      title: optional(Schema.String),
      readOnlyHint: optional(Schema.Boolean),
      destructiveHint: optional(Schema.Boolean),
      idempotentHint: optional(Schema.Boolean),
      openWorldHint: optional(Schema.Boolean),
    }),
  ),
  execution: optional(
    Schema.Struct({
      taskSupport: optional(Schema.Literals(["required", "optional", "forbidden"])),
    }),
  ),
  icons: optional(Icons),
  _meta: optional(Json),
});

const decode = Schema.decodeUnknownResult(Strictest);

type Members = Readonly<Record<string, unknown>>;

const isAbsent = (value: unknown) => value === undefined;
const isText = (value: unknown) => typeof value === "string";
const isTextOrAbsent = (value: unknown) => isAbsent(value) || isText(value);

/**
 * Returns whether a definition has only the members that most definitions have, in the form that
 * `Strictest` requires. It accepts nothing that `Strictest` rejects, and takes a tenth of its time.
 */
const isCommon = (definition: Members): boolean => {
  const { annotations, execution, icons, inputSchema, outputSchema, _meta: meta } = definition;
  if (![annotations, execution, icons, outputSchema, meta].every(isAbsent)) return false;
  const { description, name, title } = definition;
  if (!isText(name) || name === "" || ![title, description].every(isTextOrAbsent)) return false;
  if (!Predicate.isReadonlyObject(inputSchema)) return false;
  const { $schema, properties = {}, required = [], type } = inputSchema;
  return (
    type === "object" &&
    isTextOrAbsent($schema) &&
    Predicate.isReadonlyObject(properties) &&
    Object.values(properties).every(Predicate.isReadonlyObject) &&
    Array.isArray(required) &&
    required.every(isText)
  );
};

const withoutNulls = (value: unknown): unknown =>
  Predicate.isReadonlyObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
    : value;

const repairedSchema = (value: unknown): unknown =>
  Predicate.isReadonlyObject(value) ? { type: "object", ...SchemaRepair.repaired(value) } : value;

const repairedIcons = (value: unknown): unknown =>
  Array.isArray(value) ? value.filter((icon) => icon !== null).map(withoutNulls) : value;

/** Tasks are not supported, so a client must not learn that a tool may or must be called as one. */
const repairedExecution = (value: unknown): unknown => {
  if (!Predicate.isReadonlyObject(value)) return value;
  const { taskSupport: _, ...rest } = value;
  return withoutNulls(rest);
};

const repairedMeta = (value: unknown): unknown =>
  Predicate.isReadonlyObject(value) ? ServerText.ownMeta(value) : value;

/** The repairs of members. Other members do not change, including `_meta` and `__proto__`. */
const repairs: ReadonlyMap<string, (value: unknown) => unknown> = new Map([
  ["_meta", repairedMeta],
  ["annotations", withoutNulls],
  ["execution", repairedExecution],
  ["icons", repairedIcons],
  ["inputSchema", repairedSchema],
  ["outputSchema", repairedSchema],
]);

const hasNull = (value: unknown): boolean => {
  if (typeof value !== "object" || value === null) return value === null;
  for (const name in value) {
    if (hasNull(Reflect.get(value, name))) return true;
  }
  return false;
};

const hasType = (schema: unknown) => !Predicate.isReadonlyObject(schema) || "type" in schema;

/**
 * The same definition without nulls for absent members, and with the members that clients require.
 */
export const repaired = <A extends Members>(definition: A): A => {
  const { execution, inputSchema, outputSchema, _meta: meta } = definition;
  const isWhole =
    [execution, meta].every(isAbsent) &&
    inputSchema !== undefined &&
    hasType(inputSchema) &&
    hasType(outputSchema);
  if (isWhole && !hasNull(definition)) return definition;
  const members = Object.entries(definition)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, repairs.get(name)?.(value) ?? value]);
  // Each repair returns a value of the same type.
  return Object.fromEntries(
    "inputSchema" in definition && definition["inputSchema"] !== null
      ? members
      : [...members, ["inputSchema", { type: "object" }]],
  ) as A;
};

/**
 * The reason why a repaired definition is withheld; null if it is not. `json` is the definition as
 * JSON.
 */
export const problemOf = (
  definition: Members,
  json: string = JSON.stringify(definition),
): string | null => {
  const invisible = ServerText.invisibleIn(json);
  if (invisible !== null) {
    return `It has a character that models read and people do not see (${invisible}).`;
  }
  return isCommon(definition) ? null : unreadableOf(definition);
};

/** The reason why clients could not read a repaired definition; null if they can. */
const unreadableOf = (definition: Members): string | null => {
  const result = decode(definition);
  if (Result.isSuccess(result)) {
    const outputSchema = definition["outputSchema"];
    const keyword = Predicate.isReadonlyObject(outputSchema)
      ? OutputSchema.problemOf(outputSchema)
      : null;
    return keyword === null ? null : `outputSchema.${keyword}: Validators cannot compile it.`;
  }
  const [first] = errorsOf(result.failure.issue);
  if (first === undefined) return "It is not a definition of a tool.";
  return first.path === "" ? first.message : `${first.path}: ${first.message}`;
};

/** The rules by which definitions of a list are repaired and checked. */
export interface Rules {
  readonly repaired: (definition: Members) => Members;
  /** The reason why a repaired definition is withheld; null if it is not. */
  readonly problemOf: (definition: Members, json?: string) => string | null;
}

const ofTools: Rules = { repaired, problemOf };

const isNamed = (definition: Members): definition is ToolDefinition =>
  typeof definition["name"] === "string";

/** The stored form of a name that is too long. */
const maxName = 1_024;

const withheld = (problem: string, name: unknown = "") => ({
  tool: { name: typeof name === "string" ? name.slice(0, maxName) : "", definition: null, problem },
  bytes: 0,
});

/** The number of bytes of a text in UTF-8. Calling `encode` for each text takes twice as long. */
const measure = () => {
  const encoder = new TextEncoder();
  const buffer = new Uint8Array(maxBytes);
  return (text: string): number => {
    const { read, written } = encoder.encodeInto(text, buffer);
    return read === text.length ? written : encoder.encode(text).length;
  };
};

const judged = (
  sent: unknown,
  rules: Rules,
  bytesOf: (text: string) => number,
): { readonly tool: ListedTool; readonly bytes: number } => {
  if (!Predicate.isReadonlyObject(sent)) return withheld("It is not an object.");
  if (isTooDeep(sent)) {
    return withheld(`It is nested more than ${maxLevels} levels deep.`, sent["name"]);
  }
  const definition = rules.repaired(sent);
  const json = JSON.stringify(definition);
  const bytes = bytesOf(json);
  if (bytes > maxBytes) {
    return withheld(`It has ${bytes} bytes, and at most ${maxBytes} are used.`, sent["name"]);
  }
  const problem = rules.problemOf(definition, json);
  if (!isNamed(definition)) return withheld("It has no name.");
  return { tool: { name: definition.name, definition, problem }, bytes };
};

/** The number of tools that are checked without a pause. */
const sliceTools = 50;

function* judging(sent: ReadonlyArray<unknown>, rules: Rules): Generator<void, Listing> {
  const tools = new Map<string, ListedTool>();
  const repeated = new Set<string>();
  const bytesOf = measure();
  let total = 0;
  for (const [index, value] of sent.entries()) {
    if (index % sliceTools === sliceTools - 1) yield;
    const { bytes, tool } = judged(value, rules, bytesOf);
    total += bytes;
    if (tools.size === maxTools || total > maxListBytes) break;
    if (tools.has(tool.name)) repeated.add(tool.name);
    else tools.set(tool.name, tool);
  }
  const isCut = tools.size === maxTools ? sent.length > maxTools : total > maxListBytes;
  return {
    tools: [...tools.values()],
    repeated: [...repeated],
    cutAt: isCut ? sent.length : null,
  };
}

/** Repairs and checks a server's list. */
export const judge = (sent: ReadonlyArray<unknown>): Listing => {
  const slices = judging(sent, ofTools);
  let slice = slices.next();
  while (slice.done !== true) slice = slices.next();
  return slice.value;
};

/** Like `judge`, with pauses, so that a long list delays no other work. */
export const judgeInSlices = Effect.fnUntraced(function* (
  sent: ReadonlyArray<unknown>,
  rules = ofTools,
) {
  const slices = judging(sent, rules);
  let slice = slices.next();
  while (slice.done !== true) {
    yield* Effect.yieldNow;
    slice = slices.next();
  }
  return slice.value;
});
