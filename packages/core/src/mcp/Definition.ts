import { Effect, Predicate, Result, Schema } from "effect";
import { errorsOf } from "../internal/Input.ts";
import { isTooDeep, maxLevels } from "./Depth.ts";
import * as OutputSchema from "./OutputSchema.ts";
import * as SchemaRepair from "./SchemaRepair.ts";
import type { ToolDefinition } from "./Tool.ts";

/**
 * Definitions of tools as their servers send them. Clients judge a list as a whole: one definition that they
 * cannot read costs them every tool. So each definition is repaired where its meaning stays the same, then
 * checked, and only what fails is withheld.
 */

/** The largest definition, as JSON. */
export const maxBytes = 64 * 1024;

/** What is used of a server's list: its first tools, up to this number and these bytes. */
export const maxTools = 2_000;
export const maxListBytes = 8 * 1024 * 1024;

/** A tool of a server's list. */
export interface ListedTool {
  /** Empty if the server named none. */
  readonly name: string;
  /** Repaired; null if the definition is too large to be stored, or not an object. */
  readonly definition: ToolDefinition | null;
  /** Why it is withheld; null if it is not. */
  readonly problem: string | null;
}

/** A server's list. */
export interface Listing {
  /** In the server's order, with one entry per name. */
  readonly tools: ReadonlyArray<ListedTool>;
  /** Names that came again: only the first tool of a name is used. */
  readonly repeated: ReadonlyArray<string>;
  /** How many tools came, if not all of them are used because of the limits. */
  readonly cutAt: number | null;
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
 * What every client of the protocol versions 2024-11-05 to 2026-07-28 accepts. It is `ToolSchema` of the
 * official SDKs (1.32: `types.ts`; 2.4: the schemas of both eras), each member in its strictest form: objects
 * as properties and the root type `object` are of 2025-11-25, `$schema` is of 2026-07-28. Tests hold it against
 * the SDKs.
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

const withoutNulls = (value: unknown): unknown =>
  Predicate.isReadonlyObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
    : value;

const repairedSchema = (value: unknown): unknown =>
  Predicate.isReadonlyObject(value) ? { type: "object", ...SchemaRepair.repaired(value) } : value;

const repairedIcons = (value: unknown): unknown =>
  Array.isArray(value) ? value.filter((icon) => icon !== null).map(withoutNulls) : value;

/** How members are repaired. Other members stay as they are, `_meta` and `__proto__` included. */
const repairs: ReadonlyMap<string, (value: unknown) => unknown> = new Map([
  ["annotations", withoutNulls],
  ["execution", withoutNulls],
  ["icons", repairedIcons],
  ["inputSchema", repairedSchema],
  ["outputSchema", repairedSchema],
]);

/** The same definition without nulls in place of absent members, and with the members that clients require. */
export const repaired = <A extends Members>(definition: A): A => {
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

/** Why clients could not read a repaired definition; null if they can. */
export const problemOf = (definition: Members): string | null => {
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

const encoder = new TextEncoder();

const isNamed = (definition: Members): definition is ToolDefinition =>
  typeof definition["name"] === "string";

/** What is stored of a name that is too long to be one. */
const maxName = 1_024;

const judged = (sent: unknown): ListedTool & { readonly bytes: number } => {
  const withheld = (problem: string, name: unknown = "") => ({
    name: typeof name === "string" ? name.slice(0, maxName) : "",
    definition: null,
    problem,
    bytes: 0,
  });
  if (!Predicate.isReadonlyObject(sent)) return withheld("It is not an object.");
  if (isTooDeep(sent)) {
    return withheld(`It is nested more than ${maxLevels} levels deep.`, sent["name"]);
  }
  const definition = repaired(sent);
  const bytes = encoder.encode(JSON.stringify(definition)).length;
  if (bytes > maxBytes) {
    return withheld(`It has ${bytes} bytes, and at most ${maxBytes} are used.`, sent["name"]);
  }
  const problem = problemOf(definition);
  if (!isNamed(definition)) return withheld("It has no name.");
  return { name: definition.name, definition, problem, bytes };
};

/** Tools that are judged without a pause: about 2 ms. */
const sliceTools = 50;

function* judging(sent: ReadonlyArray<unknown>): Generator<void, Listing> {
  const tools = new Map<string, ListedTool>();
  const repeated = new Set<string>();
  let total = 0;
  for (const [index, value] of sent.entries()) {
    if (index % sliceTools === sliceTools - 1) yield;
    const { bytes, ...tool } = judged(value);
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

/** Repairs and checks what a server listed. */
export const judge = (sent: ReadonlyArray<unknown>): Listing => {
  const slices = judging(sent);
  let slice = slices.next();
  while (slice.done !== true) slice = slices.next();
  return slice.value;
};

/** As `judge`, with pauses, so that a long list delays no other work. */
export const judgeInSlices = Effect.fnUntraced(function* (sent: ReadonlyArray<unknown>) {
  const slices = judging(sent);
  let slice = slices.next();
  while (slice.done !== true) {
    yield* Effect.yieldNow;
    slice = slices.next();
  }
  return slice.value;
});
