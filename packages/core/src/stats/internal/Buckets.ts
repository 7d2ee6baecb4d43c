import type { Timestamp } from "../../Timestamp.ts";
import type { StatsQuery, StatsRow } from "../StatsStore.ts";
import type { Counted } from "./Counted.ts";

/** Hours and days in UTC. */

export type Bucket = StatsRow["bucket"];

/** The start of the hour or day of a timestamp. */
export const startOf = (bucket: Bucket, at: Timestamp): Timestamp =>
  bucket === "hour" ? `${at.slice(0, 13)}:00:00.000Z` : `${at.slice(0, 10)}T00:00:00.000Z`;

type Counts = Record<string, number>;

export const add = (counts: Counts, more: StatsRow["counts"]): void => {
  // Takes half the time of `Object.entries`.
  for (const name in more) counts[name] = (counts[name] ?? 0) + (more[name] ?? 0);
};

const keyOf = ({ at, bucket, id, kind }: Omit<StatsRow, "counts">): string =>
  JSON.stringify([bucket, kind, id, at]);

/** Counts as rows. */
export const rowsOf = (counted: ReadonlyArray<Counted>): ReadonlyArray<StatsRow> => {
  const rows = new Map<string, StatsRow & { readonly counts: Counts }>();
  for (const { at, counters, ids, kind } of counted) {
    if (counters.length === 0) continue;
    const more = Object.fromEntries(counters.map((name) => [name, 1]));
    for (const id of ids) {
      for (const bucket of ["hour", "day"] as const) {
        const row = { bucket, kind, id, at: startOf(bucket, at), counts: {} };
        const key = keyOf(row);
        if (!rows.has(key)) rows.set(key, row);
        add(rows.get(key)?.counts ?? {}, more);
      }
    }
  }
  return [...rows.values()];
};

/** Queries whose results include the rows with the keys of `rows`. */
export const queriesFor = (rows: ReadonlyArray<StatsRow>): ReadonlyArray<StatsQuery> => {
  const groups = Map.groupBy(rows, ({ bucket, kind }) => `${bucket} ${kind}`);
  return [...groups.values()].flatMap((some) => {
    const [first] = some;
    if (first === undefined) return [];
    const times = some.map(({ at }) => at).toSorted();
    return {
      bucket: first.bucket,
      kind: first.kind,
      ids: [...new Set(some.map(({ id }) => id))],
      from: times[0] ?? "",
      // A text that sorts directly after the last time.
      to: `${times.at(-1)}0`,
    };
  });
};

/** `rows` plus the counts that are already stored. */
export const sums = (
  rows: ReadonlyArray<StatsRow>,
  stored: ReadonlyArray<StatsRow>,
): ReadonlyArray<StatsRow> => {
  const before = new Map(stored.map((row) => [keyOf(row), row.counts]));
  return rows.map((row) => {
    const counts: Counts = {};
    add(counts, before.get(keyOf(row)) ?? {});
    add(counts, row.counts);
    return { ...row, counts };
  });
};
