import { Errors } from "@quartermaster/core";
import { Effect } from "effect";
import type { SqlError } from "effect/sql";

/** Maps failures of SQLite and of the file system to errors of the ports. */

/** Temporary failures, by SQLite's primary result code. A retry may succeed. */
const retryable = new Map([
  [5, "The database is busy"],
  [6, "The database is locked"],
  [10, "The database could not be read or written"],
  [13, "The disk is full"],
  [14, "The database file could not be opened"],
]);

/** Permanent failures. A retry does not help. */
const lasting = new Map([
  [8, "The database is read-only. Let this user write to its file and its directory"],
  [11, "The database is damaged. Restore a backup"],
  [26, "The file is not a database. Restore a backup, or use another data directory"],
]);

const retryableFileErrors = new Map([
  ["ENOSPC", "The disk is full"],
  ["EDQUOT", "The disk quota is used up"],
  ["EIO", "The disk could not be read or written"],
  ["EAGAIN", "The file system is busy"],
  ["EBUSY", "The file system is busy"],
  ["EMFILE", "Too many files are open"],
  ["ENFILE", "Too many files are open"],
]);

const lastingFileErrors = new Map([
  ["EACCES", "Permission denied"],
  ["EPERM", "Permission denied"],
  ["EROFS", "The file system is read-only"],
  ["ENOENT", "The file system does not allow files there"],
  ["ENOTDIR", "A part of the path is a file"],
]);

const field = (cause: unknown, name: string): unknown =>
  typeof cause === "object" && cause !== null ? Reflect.get(cause, name) : undefined;

/** SQLite's extended result code; -1 for failures that do not come from SQLite. */
export const codeOf = (error: SqlError.SqlError): number => {
  const code = field(error.reason.cause, "errcode");
  return typeof code === "number" ? code : -1;
};

export const fromSqlError = (error: SqlError.SqlError): Errors.StorageError => {
  const number = codeOf(error) & 0xff;
  const reason = retryable.get(number);
  return new Errors.StorageError({
    reason: reason ?? lasting.get(number) ?? error.message,
    isRetryable: reason !== undefined || error.isRetryable,
    cause: error.reason.cause ?? error,
  });
};

export const fromFileError = (cause: unknown): Errors.StorageError => {
  const code = field(cause, "code");
  const name = typeof code === "string" ? code : "";
  const reason = retryableFileErrors.get(name);
  return new Errors.StorageError({
    reason:
      reason ??
      lastingFileErrors.get(name) ??
      `A file operation failed${name === "" ? "" : ` (${name})`}`,
    isRetryable: reason !== undefined,
    cause,
  });
};

/** Maps a statement's failure to the ports' error. */
export const mapped = <A, R>(
  effect: Effect.Effect<A, SqlError.SqlError, R>,
): Effect.Effect<A, Errors.StorageError, R> => Effect.mapError(effect, fromSqlError);
