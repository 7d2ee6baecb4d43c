import type { StatsRow } from "../StatsStore.ts";

/**
 * Durations in fixed buckets, each a counter of a row. Bucket 0 has durations below 1 ms; bucket n
 * has durations from 1.2^(n-1) ms to below 1.2^n ms. A value read from a bucket is off by at most
 * 9.1 %.
 */
const ratio = 1.2;

/** The counter of a duration. `name` is what it measures. */
export const counter = (name: string, millis: number): string =>
  `${name}.${millis < 1 ? 0 : Math.floor(Math.log(millis) / Math.log(ratio)) + 1}`;

/** The duration with the same relative distance to both ends of the bucket. */
const durationOf = (bucket: number): number =>
  bucket === 0 ? 0 : (ratio ** (bucket - 1) * 2 * ratio) / (1 + ratio);

/** The duration in ms that a share of the durations of `name` does not exceed; null without any. */
export const quantile = (
  counts: StatsRow["counts"],
  name: string,
  share: number,
): number | null => {
  const buckets = Object.entries(counts)
    .filter(([key]) => key.startsWith(`${name}.`))
    .map(([key, count]) => ({ bucket: Number(key.slice(name.length + 1)), count }))
    .toSorted((a, b) => a.bucket - b.bucket);
  const total = buckets.reduce((sum, { count }) => sum + count, 0);
  let rest = Math.ceil(total * share);
  const found = buckets.find(({ count }) => (rest -= count) <= 0);
  return found === undefined ? null : durationOf(found.bucket);
};
