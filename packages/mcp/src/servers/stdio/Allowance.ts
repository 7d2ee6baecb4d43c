import { Clock, Effect } from "effect";

/**
 * The rate limit for reading the output of a process: a token bucket, in units that the caller
 * chooses. While it is empty, reading pauses, so that the process blocks in its own writes and
 * delays no others.
 *
 * States
 * - open: units are left.
 * - throttled: the bucket is empty, since `throttledSince`.
 * - exhausted: throttled for longer than `patienceMillis`. The caller should stop the process.
 *
 * Transitions
 * - open → throttled: a read takes more than is left.
 * - throttled → open: a read finds the units of a quarter of a second. Fewer may come from a pause that ended late: on
 *   a busy host, 50 ms would open it again and again, and a flood would never exhaust it.
 * - throttled → exhausted: `patienceMillis` have passed.
 */
export interface Allowance {
  /** Takes units for a read. Pauses while throttled. Returns false when exhausted. */
  readonly take: (units: number) => Effect.Effect<boolean>;
}

export const make = (options: {
  /** The number of units that may be taken without a pause. */
  readonly burst: number;
  readonly perSecond: number;
  readonly patienceMillis: number;
}): Allowance => {
  const { burst, perSecond, patienceMillis } = options;
  const reopensAt = Math.min(burst, perSecond / 4);
  let left = burst;
  let updatedAt: number | undefined;
  let throttledSince: number | undefined;

  const take = Effect.fnUntraced(function* (units: number) {
    const now = Number(yield* Clock.currentTimeNanos) / 1_000_000;
    left = Math.min(burst, left + ((now - (updatedAt ?? now)) / 1_000) * perSecond);
    updatedAt = now;
    if (left >= reopensAt) throttledSince = undefined;
    left -= units;
    if (left >= 0) return true;
    throttledSince ??= now;
    if (now - throttledSince >= patienceMillis) return false;
    const wait = Math.min((-left / perSecond) * 1_000, patienceMillis);
    yield* Effect.sleep(wait);
    return true;
  });

  return { take };
};
