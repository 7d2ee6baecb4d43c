import type { IssueOrder, Page, IssueFilter } from "@quartermaster/core";
import type { SqlClient } from "effect/sql";
import { always, beyond as seqBeyond, type Clause, clause, limit, raw } from "../sql/Clause.ts";
import * as Dialect from "../sql/Dialect.ts";
import * as IssueTable from "./IssueTable.ts";

/** The orders of `IssueOrder` in SQL. Priorities are stored as ranks; 0 is urgent. */

export type Slice = Page.Slice<IssueOrder.IssueKey>;

/** The position of an issue in a list: its `seq`, and the value that sorts before `seq`. */
export type Place = readonly [seq: number, key: string | number];

const keys = { created: "seq", updated: "updated_at", priority: "priority" } as const;

/** Whether the columns ascend. In descending order the most urgent rank still comes first. */
const ascends = (sort: IssueFilter.IssueSort, { order }: Slice): boolean =>
  (order === "asc") !== (sort === "priority");

/** The value of a `Place` that sorts before `seq`. */
export const key = (sort: IssueFilter.IssueSort, table: string): Clause =>
  raw(`${table}.${keys[sort]} AS place`);

/** The columns of a `Place`. */
export const place = (sort: IssueFilter.IssueSort, table: string): Clause =>
  clause`${raw(`${table}.seq AS seq`)}, ${key(sort, table)}`;

const keyOf = (sort: "updated" | "priority", after: IssueOrder.IssueKey): string | number =>
  sort === "updated" ? after.updatedAt : IssueTable.priorityRank(after.priority);

/** The condition of a slice, on a table with the columns of the order. */
export const beyond = (sort: IssueFilter.IssueSort, slice: Slice, table: string): Clause => {
  const { after } = slice;
  if (sort === "created") {
    return seqBeyond({ ...slice, after: after?.seq ?? null }, `${table}.seq`);
  }
  if (after === null) return always;
  const comparison = raw(ascends(sort, slice) ? ">" : "<");
  return clause`(${raw(table)}.${raw(keys[sort])}, ${raw(table)}.seq)
    ${comparison} (${keyOf(sort, after)}, ${after.seq})`;
};

/**
 * The condition of a slice as alternatives, each a range of an index that ends in `seq`. SQLite
 * uses only the first column of a row comparison, because `seq` is the rowid.
 */
export const rangesBeyond = (
  sql: SqlClient.SqlClient,
  sort: IssueFilter.IssueSort,
  slice: Slice,
  table: string,
): ReadonlyArray<Clause> => {
  const { after } = slice;
  if (sort === "created" || after === null || Dialect.isPostgres(sql)) {
    return [beyond(sort, slice, table)];
  }
  const column = raw(`${table}.${keys[sort]}`);
  const key = keyOf(sort, after);
  const comparison = raw(ascends(sort, slice) ? ">" : "<");
  return [
    clause`${column} = ${key} AND ${raw(table)}.seq ${comparison} ${after.seq}`,
    clause`${column} ${comparison} ${key}`,
  ];
};

/** The columns of the order, ascending. */
export const columns = (sort: IssueFilter.IssueSort, table: string): string =>
  (sort === "created" ? ["seq"] : [keys[sort], "seq"])
    .map((column) => `${table}.${column}`)
    .join(", ");

/** `ORDER BY ... LIMIT n` of places. */
export const ordered = (sort: IssueFilter.IssueSort, slice: Slice): Clause => {
  const direction = ascends(sort, slice) ? "asc" : "desc";
  const columns = sort === "created" ? ["seq"] : ["place", "seq"];
  return clause`ORDER BY ${raw(columns.map((column) => `${column} ${direction}`).join(", "))}
    ${limit(slice.limit)}`;
};

/** Merges the first places of several lists without duplicates. */
export const merge = (
  sort: IssueFilter.IssueSort,
  slice: Slice,
  lists: ReadonlyArray<ReadonlyArray<Place>>,
): ReadonlyArray<Place> => {
  const sign = ascends(sort, slice) ? 1 : -1;
  const distinct = new Map(lists.flat().map((place) => [place[0], place]));
  return [...distinct.values()]
    .toSorted(([seqA, a], [seqB, b]) => (a === b ? seqA - seqB : a < b ? -1 : 1) * sign)
    .slice(0, slice.limit);
};

/** The slice of a search. */
export type FoundSlice = Page.Slice<IssueOrder.SearchKey>;

const byRelevance = "issues.updated_at, issues.id";

export const placeOfFound = (sort: IssueFilter.SearchSort): Clause =>
  place(sort === "relevance" ? "updated" : sort, "issues");

/** The condition of a slice of a search on the issues of a tier. */
export const beyondFound = (
  sort: IssueFilter.SearchSort,
  slice: FoundSlice,
  tier: number,
): Clause => {
  if (sort !== "relevance") return beyond(sort, slice, "issues");
  const { after, order } = slice;
  return after === null || after.tier !== tier
    ? always
    : clause`(${raw(byRelevance)}) ${raw(order === "asc" ? ">" : "<")} (${after.updatedAt}, ${after.id})`;
};

/** `ORDER BY ... LIMIT n` of a search. */
export const orderedFound = (sort: IssueFilter.SearchSort, slice: FoundSlice): Clause => {
  if (sort !== "relevance") return ordered(sort, slice);
  const columns = byRelevance.replace(",", ` ${slice.order},`);
  return clause`ORDER BY ${raw(`${columns} ${slice.order}`)} ${limit(slice.limit)}`;
};
