import type { IssueStatus } from "../../issues/Issue.ts";
import * as Timestamp from "../../Timestamp.ts";
import type { AgentNumbers, Statistics, StatsWindow } from "../Statistics.ts";
import type { StatsQuery, StatsRow } from "../StatsStore.ts";
import * as Buckets from "./Buckets.ts";
import * as Histogram from "./Histogram.ts";

/** Converts rows to the numbers that callers get. */

/** The length and the time range of the rows to read. */
export type Range = Pick<StatsQuery, "bucket" | "from" | "to">;

const seconds = { hour: 3_600, day: 86_400 } as const;
const lengths = {
  "24h": { bucket: "hour", length: 24 },
  "7d": { bucket: "hour", length: 168 },
  "30d": { bucket: "day", length: 30 },
} as const;

/** The window that ends with the current hour or day. */
export const rangeOf = (window: StatsWindow, now: Timestamp.Timestamp): Range => {
  const { bucket, length } = lengths[window];
  const to = Timestamp.addSeconds(Buckets.startOf(bucket, now), seconds[bucket]);
  return { bucket, from: Timestamp.addSeconds(to, -length * seconds[bucket]), to };
};

/** The range of the same length before. */
export const before = ({ bucket, from, to }: Range): Range => ({
  bucket,
  from: Timestamp.addSeconds(from, (Date.parse(from) - Date.parse(to)) / 1_000),
  to: from,
});

/** The range as hours and whole days, for sums: 168 hours are 24 hours and 6 days. */
export const partsOf = ({ bucket, from, to }: Range): ReadonlyArray<Range> => {
  const before = Buckets.startOf("day", from);
  const first = before === from ? from : Timestamp.addSeconds(before, seconds.day);
  const last = Buckets.startOf("day", to);
  if (bucket === "day" || first >= last) return [{ bucket, from, to }];
  return [
    { bucket, from, to: first },
    { bucket: "day", from: first, to: last },
    { bucket, from: last, to },
  ];
};

const rounded = (value: number | null, unit: number): number | null =>
  value === null ? null : Number((value / unit).toPrecision(3));

const total = (rows: ReadonlyArray<StatsRow>): Record<string, number> => {
  const counts = {};
  for (const row of rows) Buckets.add(counts, row.counts);
  return counts;
};

const stays = (counts: StatsRow["counts"]) => {
  const stay = (status: IssueStatus) => ({
    median: rounded(Histogram.quantile(counts, status, 0.5), 1_000),
    p90: rounded(Histogram.quantile(counts, status, 0.9), 1_000),
  });
  return {
    Open: stay("Open"),
    InProgress: stay("InProgress"),
    WaitingOnDependency: stay("WaitingOnDependency"),
    PendingReview: stay("PendingReview"),
    Resolved: stay("Resolved"),
    Closed: stay("Closed"),
  };
};

const runsOf = (counts: StatsRow["counts"]): Statistics["runs"] => {
  const runs = (name: string): number => counts[`run.${name}`] ?? 0;
  return {
    started: runs("started"),
    resolved: runs("resolved"),
    review: runs("review"),
    released: runs("released"),
    failed: runs("failed"),
    expired: runs("expired"),
  };
};

/** Issues that are still in their status: how many, and since when some or all of them are. */
export interface Staying {
  readonly status: IssueStatus;
  readonly count: number;
  readonly sinces: ReadonlyArray<Timestamp.Timestamp>;
}

/** The stays until now, each of a sample as often as it stands for. */
const lengthsUntil = (
  now: Timestamp.Timestamp,
  staying: ReadonlyArray<Staying>,
): Record<string, number> => {
  const counts = {};
  for (const { count, sinces, status } of staying) {
    for (const since of sinces) {
      const millis = Math.max(0, Date.parse(now) - Date.parse(since));
      Buckets.add(counts, { [Histogram.counter(status, millis)]: count / sinces.length });
    }
  }
  return counts;
};

/** The sums of a range, from its rows of `events`. */
export const sumsOf = (rows: ReadonlyArray<StatsRow>): Statistics["previous"] => {
  const counts = total(rows);
  return {
    created: counts["created"] ?? 0,
    resolved: counts["resolved"] ?? 0,
    closed: counts["closed"] ?? 0,
    runs: runsOf(counts),
  };
};

/** The numbers of a range from its rows of `events`. */
export const ofIssues = (
  { bucket, from, to }: Range,
  events: ReadonlyArray<StatsRow>,
): Pick<Statistics, "series" | "runs"> => {
  const byTime = Map.groupBy(events, ({ at }) => at);
  const series: Array<Statistics["series"][number]> = [];
  for (let at = from; at < to; at = Timestamp.addSeconds(at, seconds[bucket])) {
    const counts = total(byTime.get(at) ?? []);
    series.push({
      at,
      created: counts["created"] ?? 0,
      resolved: counts["resolved"] ?? 0,
      closed: counts["closed"] ?? 0,
      failed: counts["run.failed"] ?? 0,
      expired: counts["run.expired"] ?? 0,
    });
  }
  return { series, runs: runsOf(total(events)) };
};

/** The time in each status, from rows of `stays` of the parts of a range and from stays until now. */
export const timeInStatus = (
  ended: ReadonlyArray<StatsRow>,
  staying: ReadonlyArray<Staying>,
  now: Timestamp.Timestamp,
): Statistics["timeInStatus"] => {
  const counts = total(ended);
  Buckets.add(counts, lengthsUntil(now, staying));
  return stays(counts);
};

/** The numbers of an agent, from its rows of the parts of a range. */
export const ofAgent = (rows: ReadonlyArray<StatsRow>): AgentNumbers => {
  const counts = total(rows);
  return {
    ...runsOf(counts),
    accepted: counts["accepted"] ?? 0,
    returned: counts["returned"] ?? 0,
    median: rounded(Histogram.quantile(counts, "ms", 0.5), 1_000),
  };
};

/** The numbers of servers, from rows of `calls` of the parts of a range. */
export const ofServers = (
  servers: ReadonlyArray<{ readonly id: string; readonly name: string }>,
  calls: ReadonlyArray<StatsRow>,
): NonNullable<Statistics["servers"]> => {
  const byServer = Map.groupBy(calls, ({ id }) => id);
  return servers.map(({ id, name }) => {
    const counts = total(byServer.get(id) ?? []);
    return {
      serverId: id,
      name,
      calls: counts["calls"] ?? 0,
      errors: counts["errors"] ?? 0,
      p50: rounded(Histogram.quantile(counts, "ms", 0.5), 1),
      p95: rounded(Histogram.quantile(counts, "ms", 0.95), 1),
    };
  });
};
