import { Context, Effect } from "effect";
import type { StorageError } from "./CommonErrors.ts";

/**
 * What the host knows of its projects, agents, users and goals. Open by default: every id is
 * accepted. A host that owns such a directory provides its own and may refuse unknown ids.
 */
export const Directory = Context.Reference<{
  readonly knows: (
    kind: "project" | "agent" | "user" | "goal",
    id: string,
  ) => Effect.Effect<boolean, StorageError>;
}>("@quartermaster/core/Directory", {
  defaultValue: () => ({ knows: () => Effect.succeed(true) }),
});
