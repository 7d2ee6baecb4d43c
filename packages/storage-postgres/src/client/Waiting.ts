import { Errors } from "@quartermaster/core";
import { Effect } from "effect";
import { SqlError } from "effect/sql";
import { pause } from "./Pause.ts";

/** Waits for a database that is out of reach or still starting. */

const everyMillis = 500;

/** The message of the network or the database, such as `connect ECONNREFUSED 10.0.0.7:5432`. */
const detailOf = ({ cause, reason }: Errors.StorageError): string => {
  const origin = SqlError.isSqlError(cause) ? cause.reason.cause : undefined;
  if (!(origin instanceof Error)) return reason;
  // An error for several addresses has no message.
  return origin.message === "" && "code" in origin ? String(origin.code) : origin.message;
};

/**
 * Repeats an effect for `seconds` while it fails for a reason that may pass. A wrong password or a
 * database that does not exist fails immediately.
 */
export const patiently = <A, R>(
  effect: Effect.Effect<A, Errors.StorageError, R>,
  seconds: number,
): Effect.Effect<A, Errors.StorageError, R> =>
  Effect.suspend(() => {
    const deadline = performance.now() + seconds * 1_000;
    const attempt = (reported: string): Effect.Effect<A, Errors.StorageError, R> =>
      Effect.catch(effect, (error) => {
        if (!error.isRetryable || seconds === 0) return Effect.fail(error);
        const detail = detailOf(error);
        if (performance.now() > deadline) {
          const reason = `The database did not respond within ${seconds} s (${detail}). Check that it runs, and its URL`;
          return Effect.fail(new Errors.StorageError({ reason, isRetryable: true, cause: error }));
        }
        return Effect.andThen(
          detail === reported
            ? Effect.void
            : Effect.logWarning(`Waiting up to ${seconds} s for the database: ${detail}`),
          Effect.andThen(pause(everyMillis), attempt(detail)),
        );
      });
    return attempt("");
  });
