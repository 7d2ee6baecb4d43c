import { Context, Effect } from "effect";
import type { StorageError } from "../CommonErrors.ts";

/** The tools that agents may use, as far as runs have to know: an agent has none by default. */
export const AgentTools = Context.Reference<{
  /** An opaque string, equal exactly when the agent's list of tools is equal. */
  readonly revision: (agentId: string) => Effect.Effect<string, StorageError>;
}>("@quartermaster/core/runs/AgentTools", {
  defaultValue: () => ({ revision: () => Effect.succeed("none") }),
});
