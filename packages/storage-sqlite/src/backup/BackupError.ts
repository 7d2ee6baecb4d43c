import { Runtime, Schema } from "effect";
import { fromFileError } from "../client/StorageErrors.ts";

/** The reason why a backup or restore stops: what happened and what to do. */
export class BackupError extends Schema.TaggedError<BackupError>()("BackupError", {
  message: Schema.String,
  /** Whether using another data directory solves the problem. */
  needsOtherDirectory: Schema.optionalKey(Schema.Boolean),
}) {
  /** The program exits with the code for a refusal. */
  override readonly [Runtime.errorExitCode] = 2;
}

/** Wraps a failure of the file system or SQLite with its path. */
export const at =
  (path: string) =>
  (cause: unknown): BackupError => {
    if (cause instanceof BackupError) return cause;
    const isSqlite = cause instanceof Error && "errcode" in cause;
    const reason = isSqlite ? cause.message : fromFileError(cause).reason;
    return new BackupError({ message: `${path}: ${reason}.` });
  };
