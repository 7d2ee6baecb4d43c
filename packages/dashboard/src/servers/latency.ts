import type { ToolCall } from "../data/servers/calls.ts";

/** The histogram of call durations. */

/** The upper limits of the bars, in milliseconds. */
const limits = [10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, Infinity];

export interface Bar {
  readonly limit: number;
  readonly label: string;
  readonly calls: number;
  readonly failed: number;
}

export const duration = (millis: number): string =>
  millis < 1_000
    ? `${Math.round(millis)} ms`
    : `${(millis / 1_000).toFixed(millis < 10_000 ? 1 : 0)} s`;

const short = (limit: number) => (limit < 1_000 ? `${limit}ms` : `${limit / 1_000}s`);

export const isFailed = ({ outcome }: ToolCall): boolean =>
  outcome !== null && outcome !== "ok" && outcome !== "replayed";

/** The bars without empty ones at both ends, but at least eight. */
export const barsOf = (calls: ReadonlyArray<ToolCall>): ReadonlyArray<Bar> => {
  const bars = limits.map((limit, index) => {
    const from = limits[index - 1] ?? -1;
    const within = calls.filter(
      ({ durationMs }) => durationMs !== null && durationMs > from && durationMs <= limit,
    );
    const label = limit === Infinity ? ">30s" : short(limit);
    return { limit, label, calls: within.length, failed: within.filter(isFailed).length };
  });
  const first = bars.findIndex((bar) => bar.calls > 0);
  const last = bars.findLastIndex((bar) => bar.calls > 0);
  return bars.slice(Math.max(0, Math.min(first, last - 7)), Math.max(last, first + 7) + 1);
};

/** The quantile of the durations in milliseconds; `part` is between 0 and 1. Null without calls. */
export const quantile = (calls: ReadonlyArray<ToolCall>, part: number): number | null => {
  const sorted = calls
    .flatMap(({ durationMs }) => (durationMs === null ? [] : [durationMs]))
    .toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? null;
};
