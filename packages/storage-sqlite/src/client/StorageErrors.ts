import { Effect } from "effect";
import type { SqlError } from "effect/sql";
import { Errors } from "@quartermaster/core";

/** How failures of SQLite and of the file system become those of the ports. */

const said = new Map([
  [5, "The database is busy"],
  [6, "The database is locked"],
  [10, "The database could not be read or written"],
  [13, "The disk is full"],
  [14, "The database file could not be opened"],
]);

/** What another try does not change. */
const lasting = new Map([
  [11, "The database is damaged: restore a backup"],
  [26, "The file is no database: restore a backup, or use another data directory"],
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

const field = (cause: unknown, name: string): unknown =>
  typeof cause === "object" && cause !== null ? Reflect.get(cause, name) : undefined;

/** SQLite's extended result code; -1 if the failure is not SQLite's. */
export const codeOf = (error: SqlError.SqlError): number => {
  const code = field(error.reason.cause, "errcode");
  return typeof code === "number" ? code : -1;
};

export const fromSqlError = (error: SqlError.SqlError): Errors.StorageError => {
  const number = codeOf(error) & 0xff;
  const reason = said.get(number);
  return new Errors.StorageError({
    reason: reason ?? lasting.get(number) ?? error.message,
    isRetryable: reason !== undefined || error.isRetryable,
    cause: error.reason.cause ?? error,
  });
};

export const fromFileError = (cause: unknown): Errors.StorageError => {
  const code = field(cause, "code");
  const reason = typeof code === "string" ? retryableFileErrors.get(code) : undefined;
  return new Errors.StorageError({
    reason: reason ?? `A file operation failed${typeof code === "string" ? ` (${code})` : ""}`,
    isRetryable: reason !== undefined,
    cause,
  });
};

/** Turns a statement's failure into the port's. */
export const mapped = <A, R>(
  effect: Effect.Effect<A, SqlError.SqlError, R>,
): Effect.Effect<A, Errors.StorageError, R> => Effect.mapError(effect, fromSqlError);
