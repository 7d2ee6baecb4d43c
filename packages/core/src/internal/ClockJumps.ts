import { Clock, Duration, Effect } from "effect";
import * as Timestamp from "../Timestamp.ts";

/**
 * The smallest difference between the wall clock and the monotonic clock that means that the wall
 * clock was set.
 */
const jumpMillis = 60_000;
const settledAfterMillis = 3_600_000;
/**
 * If the newest change is older than this, a clock that is ahead is as likely as a day without
 * changes.
 */
const staleMillis = 86_400_000;

/**
 * The trustworthiness of the clock:
 *
 * - `set`: it was set by more than a minute, in either direction, within the last hour. A host that
 *   slept looks like a clock that was set.
 * - `unproven`: the first call was within the last hour and found the newest change to be a day old or
 *   more. Either nothing happened for a day, or the clock is ahead.
 * - `steady`: otherwise.
 */
export type Trust = "set" | "unproven" | "steady";

/**
 * Makes an effect that returns the trustworthiness of the clock. Each call compares the wall clock
 * with the monotonic clock, which cannot be set, since the previous call; the first one compares it
 * with `newestChange`, the time of the newest change in storage, null without one.
 */
export const make = Effect.fnUntraced(function* (
  newestChange: Effect.Effect<Timestamp.Timestamp | null>,
) {
  let offset: number | null = null;
  let setAt = -Infinity;
  let unprovenSince = -Infinity;

  /** The first call. */
  const compareWithStorage = Effect.fnUntraced(function* (wall: number, monotonic: number) {
    const newest = yield* newestChange;
    if (newest === null) return;
    const age = wall - Date.parse(newest);
    const times = `${Timestamp.ofMillis(wall)}; the newest change was stored at ${newest}`;
    if (age < -jumpMillis) {
      yield* Effect.logWarning(
        `The clock is ${spell(-age)} behind the newest stored change, or was ahead when it was stored: it is ${times}. Check the clock. Times before that change are not in the order in which things happened.`,
      );
    }
    if (age >= staleMillis) {
      unprovenSince = monotonic;
      yield* Effect.logInfo(
        `It is ${times}, ${spell(age)} ago. In case the clock is ahead, housekeeping removes nothing by age for an hour.`,
      );
    }
  });

  return Effect.gen(function* (): Effect.fn.Return<Trust> {
    const wall = yield* Clock.currentTimeMillis;
    const { monotonicTimeNanos } = yield* Clock.Clock;
    const monotonic = Number((yield* monotonicTimeNanos) / 1_000_000n);
    const shift = offset === null ? 0 : wall - monotonic - offset;
    if (offset === null) yield* compareWithStorage(wall, monotonic);
    offset = wall - monotonic;
    if (Math.abs(shift) > jumpMillis) {
      setAt = monotonic;
      yield* Effect.logWarning(
        `The clock was set by ${Math.round(shift / 1_000)} s. Housekeeping waits for an hour.`,
      );
    }
    if (monotonic - setAt < settledAfterMillis) return "set";
    return monotonic - unprovenSince < settledAfterMillis ? "unproven" : "steady";
  });
});

const spell = (millis: number): string =>
  Duration.format(Duration.minutes(Math.round(millis / 60_000)));
