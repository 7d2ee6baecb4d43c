import {
  type Agent,
  type Errors,
  Input,
  JsonSchema,
  type Principal,
  type Tool,
  type Workers,
} from "@quartermaster/core";
import { Effect, Schema } from "effect";
import type { Refusal } from "./Refusals.ts";

/** Tools of the service itself. */

/** Who calls a tool: the agent's worker. Null for a key that belongs to no agent. */
export interface Caller {
  readonly agentId: string;
  readonly worker: Workers.Worker;
  /** Read when it is needed: most calls do not. */
  readonly toolMode: Effect.Effect<Agent.ToolMode, Errors.StorageError>;
}

export interface ServiceTool {
  readonly definition: Tool.ToolDefinition;
  run(
    args: Readonly<Record<string, unknown>>,
    caller: Caller | null,
  ): Effect.Effect<object, Refusal, Principal.CurrentPrincipal>;
}

/** Defines a tool by the schema of its arguments. The service validates them again. */
export const define = <S extends Schema.Constraint & { readonly Encoded: object }>(options: {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly takes: S;
  readonly annotations: Readonly<Record<string, boolean>>;
  readonly run: (
    args: S["Encoded"],
    caller: Caller | null,
  ) => Effect.Effect<object, Refusal, Principal.CurrentPrincipal>;
}): ServiceTool => {
  const { name, title, description, takes, annotations, run } = options;
  const { schema } = Schema.toJsonSchemaDocument(takes);
  const decode = Input.decoder(Schema.toEncoded(takes));
  return {
    definition: {
      name,
      title,
      description,
      inputSchema: {
        type: "object",
        ...JsonSchema.liftAnnotations(schema),
        additionalProperties: false,
      },
      annotations: { ...annotations, openWorldHint: false },
    },
    run: (args, caller) => Effect.flatMap(decode(args), (decoded) => run(decoded, caller)),
  };
};

export const reads = { readOnlyHint: true };
export const adds = { readOnlyHint: false, destructiveHint: false, idempotentHint: false };
/** Handing work in destroys nothing. */
export const updates = { readOnlyHint: false, destructiveHint: false, idempotentHint: true };
export const changes = { readOnlyHint: false, destructiveHint: true, idempotentHint: true };
