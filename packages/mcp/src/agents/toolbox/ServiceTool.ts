import {
  type Agent,
  type Errors,
  Input,
  JsonSchema,
  type Principal,
  type Tool,
  type Workers,
} from "@quartermaster/core";
import { Effect, Predicate, Schema } from "effect";
import { lenient } from "./LenientArguments.ts";
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

const parametersOf = (schema: Json, clears: ReadonlyArray<string>): Json =>
  Object.fromEntries(
    Object.entries(Object(schema["properties"])).map(([name, parameter]) => [
      name,
      clears.includes(name) ? parameter : withoutNull(parameter),
    ]),
  );

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
  readonly annotations: Readonly<Record<string, boolean>>;
  readonly run: (
    args: S["Encoded"],
    caller: CallingWorker | null,
  ) => Effect.Effect<object, Refusal | Explained, Principal.CurrentPrincipal>;
}): ServiceTool => {
  const { name, title, description, takes, clears = [], lists = [], annotations, run } = options;
  // Effect encodes a struct without fields with `not`, which models' APIs refuse.
  const { not: _, ...schema } = JsonSchema.liftAnnotations(
    Schema.toJsonSchemaDocument(takes).schema,
  );
  const decode = Input.decoder(Schema.toEncoded(takes));
  const properties = parametersOf(schema, clears);
  return {
    definition: {
      name,
      title,
      description,
      inputSchema: {
        type: "object",
        ...schema,
        properties,
        additionalProperties: false,
      },
      annotations: { ...annotations, openWorldHint: false },
    },
    isReadOnly: annotations["readOnlyHint"] === true,
    run: (args, caller) =>
      Effect.flatMap(decode(lenient(properties, lists, args)), (decoded) => run(decoded, caller)),
  };
};

export const reads = { readOnlyHint: true };
export const adds = { readOnlyHint: false, destructiveHint: false, idempotentHint: false };
/** Not destructive: handing in work deletes nothing. */
export const updates = { readOnlyHint: false, destructiveHint: false, idempotentHint: true };
export const changes = { readOnlyHint: false, destructiveHint: true, idempotentHint: true };
