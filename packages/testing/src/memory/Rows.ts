import type { Page } from "@quartermaster/core";

/** The rows of a slice, selected and sorted by `seq`. */
export const slice = <Row extends { readonly seq: number }>(
  rows: Iterable<Row>,
  { after, limit, order }: Page.Slice,
  where: (row: Row) => boolean,
): ReadonlyArray<Row> => {
  const sign = order === "asc" ? 1 : -1;
  return Array.from(rows)
    .filter((row) => (after === null || (row.seq - after) * sign > 0) && where(row))
    .toSorted((a, b) => (a.seq - b.seq) * sign)
    .slice(0, limit);
};

/** Whether a value is one of `values`; null allows any value. */
export const among =
  <A>(values: ReadonlyArray<A> | null) =>
  (value: A): boolean =>
    values === null || values.includes(value);

/** Removes at most `limit` matching rows, oldest first. Returns their number. */
export const prune = <Row>(
  table: { entries(): Iterable<readonly [string, Row]>; delete(key: string): void },
  limit: number,
  where: (row: Row) => boolean,
): number => {
  const keys = Array.from(table.entries())
    .filter(([, row]) => where(row))
    .slice(0, limit)
    .map(([key]) => key);
  for (const key of keys) {
    table.delete(key);
  }
  return keys.length;
};
