import { CommandError } from "@quartermaster/cli";
import { Errors } from "@quartermaster/core";
import { Effect } from "effect";
import { type Database, nameOf } from "./DatabaseSettings.ts";

/** The reason of a database that refuses connections or does not respond. */
const unreachable = "The database cannot be reached";

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
    return new CommandError.CommandError({
      kind: isUnreachable ? "unreachable" : "refused",
      message: isUnreachable
        ? `${nameOf(database)} cannot be reached. Start PostgreSQL, or correct QM_DATABASE_URL.`
        : `${reason}. Correct QM_DATABASE_URL, or run \`quartermaster doctor\`.`,
      problem: null,
      retryAfterSeconds: null,
    });
  });
