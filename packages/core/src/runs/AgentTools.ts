import { Context, Effect } from "effect";
import type { StorageError } from "../CommonErrors.ts";

/** The revision of the tools that an agent may use. By default agents have no tools. */
export const AgentTools = Context.Reference<{
  /** An opaque string that changes if and only if the agent's list of tools changes. */
  readonly revision: (agentId: string) => Effect.Effect<string, StorageError>;
}>("@quartermaster/core/runs/AgentTools", {
  defaultValue: () => ({ revision: () => Effect.succeed("none") }),
});
