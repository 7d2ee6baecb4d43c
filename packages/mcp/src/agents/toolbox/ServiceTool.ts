import {
  type Agent,
  Errors,
  Input,
  JsonSchema,
  type McpConnector,
  type Principal,
  type Tool,
  type Workers,
} from "@quartermaster/core";
import { Effect, Predicate, Schema } from "effect";
import { type ArgumentsSchema, lenient } from "./LenientArguments.ts";
import type { Explained, Refusal } from "./Refusals.ts";

/** Tools that the service itself offers. */

type Json = Readonly<Record<string, unknown>>;

const isNull = (schema: unknown) => Predicate.isReadonlyObject(schema) && schema["type"] === "null";

/** A parameter for the model, without a null that is equivalent to absence. */
const withoutNull = (parameter: unknown): unknown => {
  if (!Predicate.isReadonlyObject(parameter)) return parameter;
  const { anyOf, description, ...rest } = parameter;
  if (!Array.isArray(anyOf)) return parameter;
  const others: ReadonlyArray<unknown> = anyOf.filter((schema) => !isNull(schema));
  const [only] = others;
  const type = others.length === 1 && Predicate.isReadonlyObject(only) ? only : { anyOf: others };
  return { ...rest, ...type, description: String(description).replace(/ ?Default: null\./, "") };
};

/** Keywords that repeat the limits which the description of each parameter names. */
const bounds = new Set(["minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength"]);

const withoutBounds = (parameter: object): Json =>
  Object.fromEntries(Object.entries(parameter).filter(([keyword]) => !bounds.has(keyword)));

const parametersOf = (schema: Json, clears: ReadonlyArray<string>, texts: Texts): Json =>
  Object.fromEntries(
    Object.entries(Object(schema["properties"])).map(([name, parameter]) => {
      const shown = withoutBounds(
        Object(clears.includes(name) ? parameter : withoutNull(parameter)),
      );
      const text = texts[name];
      return [name, text === undefined ? shown : { ...shown, description: text }];
    }),
  );

/** Descriptions of parameters. They replace the descriptions of REST, which are longer than a model needs. */
type Texts = Readonly<Record<string, string>>;

/** A result of content blocks. Other results are one text of JSON. */
export class Blocks {
  readonly content: McpConnector.ToolResult["content"];

  constructor(content: McpConnector.ToolResult["content"]) {
    this.content = content;
  }
}

/** The worker that calls a tool; null for a key that does not belong to an agent. */
export interface CallingWorker {
  readonly agentId: string;
  readonly worker: Workers.Worker;
  /** The name that the process gave itself; null for none. */
  readonly workerName: string | null;
  /** Read lazily, because most calls do not need it. */
  readonly toolMode: Effect.Effect<Agent.ToolMode, Errors.StorageError>;
}

export interface ServiceTool {
  readonly name: string;
  /** Derived from the schema at its first use. */
  readonly definition: Tool.ToolDefinition;
  readonly isReadOnly: boolean;
  run(
    args: Readonly<Record<string, unknown>>,
    caller: CallingWorker | null,
  ): Effect.Effect<object, Refusal | Explained, Principal.CurrentPrincipal>;
}

/** Defines a tool from the schema of its arguments. The service validates them again. */
export const define = <S extends Schema.Constraint & { readonly Encoded: object }>(options: {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly takes: S;
  /** Parameters that null clears. For all others null means absent, and the schema omits it. */
  readonly clears?: ReadonlyArray<string>;
  /** Parameters that accept several values, separated by commas. */
  readonly lists?: ReadonlyArray<string>;
  readonly texts?: Texts;
  /** Schemas of parameters, which replace the derived schemas. */
  readonly parameters?: Json;
  readonly annotations: Readonly<Record<string, boolean>>;
  /** Whether Claude Code offers the tool without a search. */
  readonly isAlwaysLoaded?: boolean;
  readonly run: (
    args: S["Encoded"],
    caller: CallingWorker | null,
  ) => Effect.Effect<object, Refusal | Explained, Principal.CurrentPrincipal>;
}): ServiceTool => {
  const { name, title, description, takes, clears = [], lists = [], annotations, run } = options;
  const { isAlwaysLoaded = false, parameters, texts = {} } = options;
  const derive = () => {
    // Effect encodes a struct without fields with `not`, which models' APIs refuse. `decode` refuses unknown
    // parameters by name, so no schema has to.
    const document = Schema.toJsonSchemaDocument(takes);
    const {
      additionalProperties: _,
      not: __,
      ...schema
    } = JsonSchema.liftAnnotations(document.schema);
    const properties = { ...parametersOf(schema, clears, texts), ...parameters };
    const definition: Tool.ToolDefinition = {
      name,
      title,
      description,
      inputSchema: {
        type: "object",
        ...schema,
        properties,
      },
      annotations: { ...annotations, openWorldHint: false },
      ...(isAlwaysLoaded ? { _meta: { "anthropic/alwaysLoad": true } } : {}),
    };
    const accepted: ArgumentsSchema = {
      properties: Object(schema["properties"]),
      definitions: JsonSchema.liftAnnotations(document.definitions),
      lists,
      clears,
    };
    return { accepted, decode: Input.decoder(Schema.toEncoded(takes)), definition };
  };
  let derived: ReturnType<typeof derive> | undefined;
  return {
    name,
    get definition() {
      return (derived ??= derive()).definition;
    },
    isReadOnly: annotations["readOnlyHint"] === true,
    run: (args, caller) => {
      const { accepted, decode } = (derived ??= derive());
      return Effect.flatMap(decode(lenient(accepted, args)), (decoded) => run(decoded, caller));
    },
  };
};

/** Fails for keys that do not belong to an agent. */
export const agentOf = (caller: CallingWorker | null) =>
  caller === null
    ? Effect.fail(new Errors.Forbidden({ requiredRole: null }))
    : Effect.succeed(caller);

/** The parameters of a page. */
export const page = (limit: number) => ({
  limit: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 500 })),
  ).annotateKey({ description: `Items per page, 1 to 500. Default: ${limit}.` }),
  cursor: Schema.optionalKey(Schema.String).annotateKey({
    description: "`nextCursor` of the previous page.",
  }),
});

/** The member of a page that leads to the next one. The last page has none. */
export const cursorOf = (next: string | null): { readonly nextCursor?: string } =>
  next === null ? {} : { nextCursor: next };

/** Hints that differ from the defaults of MCP: each definition costs its model tokens. */
export const reads = { readOnlyHint: true };
export const adds = { destructiveHint: false };
/** Not destructive: handing in work deletes nothing. */
export const updates = { destructiveHint: false, idempotentHint: true };
export const changes = { idempotentHint: true };
