import { CommandError } from "@quartermaster/cli";
import { Errors } from "@quartermaster/core";
import { Effect } from "effect";
import { type Database, nameOf } from "./DatabaseSettings.ts";

/** The reason of a database that refuses connections or does not respond. */
const unreachable = "The database cannot be reached";

/** Whether PostgreSQL itself refused: the reason then ends with its SQLSTATE. A full disk of this machine, for example, does not. */
const isRefusal = (reason: string) => /\([0-9A-Z]{5}\)$/u.test(reason);

const adviceFor = (reason: string) =>
  `${reason}. Correct QM_DATABASE_URL, or run \`quartermaster doctor\`.`;

/** The refusal of a start, with advice if it is PostgreSQL's own, such as a database that does not exist. */
export const ofStart = <E>(error: E): E | Errors.StorageError =>
  error instanceof Errors.StorageError && isRefusal(error.reason)
    ? new Errors.StorageError({
        reason: adviceFor(error.reason),
        isRetryable: error.isRetryable,
        cause: error,
      })
    : error;

/**
 * Failures of PostgreSQL as failures of a command: exit 5 if it cannot be reached, otherwise exit
 * 2.
 */
export const advised = <A, E, R>(
  database: Database,
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<A, Exclude<E, Errors.StorageError> | CommandError.CommandError, R> =>
  Effect.mapError(effect, (error) => {
    if (!(error instanceof Errors.StorageError)) {
      return error as Exclude<E, Errors.StorageError>;
    }
    const { reason } = error;
    const isUnreachable = reason === unreachable;
    const refusal = isRefusal(reason) ? adviceFor(reason) : `${reason}.`;
    return new CommandError.CommandError({
      kind: isUnreachable ? "unreachable" : "refused",
      message: isUnreachable
        ? `${nameOf(database)} cannot be reached. Start PostgreSQL, or correct QM_DATABASE_URL.`
        : refusal,
      problem: null,
      retryAfterSeconds: null,
    });
  });
