import { existsSync } from "node:fs";
import { join } from "node:path";
import { Errors } from "@quartermaster/core";
import { Effect } from "effect";

/**
 * The folder where a restore collects files before it moves them to the data directory. It is
 * created first and removed last: while it exists, the restore is incomplete.
 */
export const pathIn = (dataDir: string): string => join(dataDir, "restoring");

export const isThere = (dataDir: string): boolean => existsSync(pathIn(dataDir));

/** Fails if a restore of the directory is incomplete. */
export const refuse = (dataDir: string): Effect.Effect<void, Errors.StorageError> =>
  Effect.suspend(() =>
    isThere(dataDir)
      ? Effect.fail(
          new Errors.StorageError({
            reason:
              "A restore of this directory is running or was interrupted. Wait for it, or run " +
              "`quartermaster restore FILE` again with the same file",
            isRetryable: false,
          }),
        )
      : Effect.void,
  );
