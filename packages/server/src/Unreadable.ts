import { type Errors, Rotation } from "@quartermaster/core";
import { Effect } from "effect";

/** Logs the installed servers with secrets that no master key decrypts. The secrets stay stored. */
export const report: Effect.Effect<void, Errors.StorageError, Rotation.Rotation> = Effect.gen(
  function* () {
    const rotation = yield* Rotation.Rotation;
    for (const { serverId, serverName, variables } of yield* rotation.unreadable) {
      yield* Effect.logError(
        `The secrets of the MCP server ${serverName} cannot be decrypted. Start with the key that they were encrypted under, or set them again`,
      ).pipe(Effect.annotateLogs({ serverId, serverName, variables }));
    }
  },
);
