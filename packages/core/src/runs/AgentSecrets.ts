import { Context, Effect, type Redacted } from "effect";
import type { StorageError } from "../CommonErrors.ts";

/** The sealed values of the servers that an agent was granted. By default there are none. */
export const AgentSecrets = Context.Reference<{
  readonly valuesOf: (
    agentId: string,
  ) => Effect.Effect<ReadonlyArray<Redacted.Redacted<string>>, StorageError>;
}>("@quartermaster/core/runs/AgentSecrets", {
  defaultValue: () => ({ valuesOf: () => Effect.succeed([]) }),
});
