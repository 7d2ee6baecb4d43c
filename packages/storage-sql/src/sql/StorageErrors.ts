import { Errors } from "@quartermaster/core";
import { Effect } from "effect";
import { SqlError } from "effect/sql";

/** Maps failures of a database and of its files to the error of the ports. */

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

/** Temporary failures of PostgreSQL, by the start of its SQLSTATE. */
const retryableStates = [
  ["08", "The connection to the database failed"],
  ["25006", "The database is read-only: it has become a standby"],
  ["25P03", "The database ended a transaction that took too long"],
  ["25P04", "The database ended a transaction that took too long"],
  ["40", "Other changes of the same rows won"],
  ["53", "The database has no memory, disk space or connections left"],
  ["55P03", "Another transaction holds the rows"],
  ["57014", "A statement took too long"],
  ["57P", "The database is shutting down or starting"],
  ["58", "The database could not be read or written"],
] as const;

const field = (cause: unknown, name: string): unknown =>
  typeof cause === "object" && cause !== null ? Reflect.get(cause, name) : undefined;

/** SQLite's extended result code; -1 for failures that do not come from SQLite. */
const codeOf = (error: SqlError.SqlError): number => {
  const code = field(error.reason.cause, "errcode");
  return typeof code === "number" ? code : -1;
};

/** PostgreSQL's SQLSTATE, such as `40001`; empty for failures that do not come from the server. */
export const stateOf = (error: SqlError.SqlError): string => {
  const state = field(error.reason.cause, "code");
  return typeof state === "string" && /^[0-9A-Z]{5}$/u.test(state) ? state : "";
};

export const fromSqlError = (error: SqlError.SqlError): Errors.StorageError => {
  const number = codeOf(error) & 0xff;
  const state = stateOf(error);
  const reason =
    retryable.get(number) ?? retryableStates.find(([start]) => state.startsWith(start))?.[1];
  const isConnection = error.reason._tag === "ConnectionError";
  return new Errors.StorageError({
    reason:
      reason ??
      lasting.get(number) ??
      (isConnection && state === "" && number === 0xff
        ? "The database cannot be reached"
        : state === ""
          ? error.message
          : `${field(error.reason.cause, "message")} (${state})`),
    isRetryable: reason !== undefined || error.isRetryable || isConnection,
    cause: error,
  });
};

/** Maps a statement's failure to the ports' error. */
export const mapped = <A, R>(
  effect: Effect.Effect<A, SqlError.SqlError, R>,
): Effect.Effect<A, Errors.StorageError, R> => Effect.mapError(effect, fromSqlError);

/** As `mapped`, for effects with other failures as well. */
export const mappedAmong = <A, E, R>(effect: Effect.Effect<A, E | SqlError.SqlError, R>) =>
  Effect.mapError(effect, (error) =>
    SqlError.isSqlError(error) ? fromSqlError(error) : error,
  ) as Effect.Effect<A, Errors.StorageError | Exclude<E, SqlError.SqlError>, R>;

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

/** Maps a failure of the file system to the ports' error. */
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
