import { Clock, Effect } from "effect";

/** A wall clock that differs by more than this from the monotonic clock was set. */
const jumpMillis = 60_000;
const settledAfterMillis = 3_600_000;

/**
 * Makes an effect that returns whether the wall clock has run steadily for the last hour. Each call
 * compares the wall clock with the monotonic clock, which cannot be set, since the previous call.
 *
 * States: steady, from the first call on; unsettled, for an hour after a call finds that the clock
 * was set by more than a minute, in either direction. A host that slept looks like a clock that was
 * set. A clock that was wrong before the first call is not found.
 */
export const make = Effect.sync(() => {
  let offset: number | null = null;
  let jumpedAt = -Infinity;
  return Effect.gen(function* () {
    const wall = yield* Clock.currentTimeMillis;
    const { monotonicTimeNanos } = yield* Clock.Clock;
    const monotonic = Number((yield* monotonicTimeNanos) / 1_000_000n);
    const shift = offset === null ? 0 : wall - monotonic - offset;
    offset = wall - monotonic;
    if (Math.abs(shift) > jumpMillis) {
      jumpedAt = monotonic;
      yield* Effect.logWarning(
        `The clock was set by ${Math.round(shift / 1_000)} s. Housekeeping waits an hour.`,
      );
    }
    return monotonic - jumpedAt >= settledAfterMillis;
  });
});
