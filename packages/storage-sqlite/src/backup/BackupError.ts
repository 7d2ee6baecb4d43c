import { Runtime, Schema } from "effect";
import { fromFileError } from "../client/StorageErrors.ts";

/** Why a backup or a restore stops: one sentence that also says what to do. */
export class BackupError extends Schema.TaggedError<BackupError>()("BackupError", {
  message: Schema.String,
  /** Whether another data directory solves it. */
  needsOtherDirectory: Schema.optionalKey(Schema.Boolean),
}) {
  /** Of a program that ends with it: refused. */
  override readonly [Runtime.errorExitCode] = 2;
}

/** A failure of the file system, or of SQLite, at a path. */
export const at =
  (path: string) =>
  (cause: unknown): BackupError => {
    if (cause instanceof BackupError) return cause;
    const isSqlite = cause instanceof Error && "errcode" in cause;
    const reason = isSqlite ? cause.message : fromFileError(cause).reason;
    return new BackupError({ message: `${path}: ${reason}.` });
  };
