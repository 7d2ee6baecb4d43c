import { Effect } from "effect";

/**
 * Runs a check now and returns an effect that repeats its outcome. For checks that may be slow, and
 * so must run before a transaction, but whose failure belongs inside the transaction.
 */
export const ahead = <A, E, R>(
  check: Effect.Effect<A, E, R>,
): Effect.Effect<Effect.Effect<A, E>, never, R> => Effect.exit(check);
