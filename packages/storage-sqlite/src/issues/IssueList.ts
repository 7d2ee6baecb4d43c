import type { Issue, IssueStore, IssueFilter } from "@quartermaster/core";
import { Effect } from "effect";
import type { SqlClient, SqlError } from "effect/sql";
import * as Prepared from "../client/Prepared.ts";
import {
  always,
  among,
  and,
  type Clause,
  clause,
  limit,
  list as inList,
  raw,
} from "../sql/Clause.ts";
import * as IssueTable from "./IssueTable.ts";
import * as ListFilters from "./ListFilters.ts";
import * as ListOrder from "./ListOrder.ts";
import * as ListSources from "./ListSources.ts";
import * as SearchQuery from "./SearchQuery.ts";

/**
 * Lists of issues. If one filter leaves few issues, a page reads all of them, checks the other
 * filters and sorts. If every filter leaves many, a page scans the index of one filter in list
 * order and checks the other filters until the page is full.
 */

/** The number of issues up to which reading and sorting all of them is cheap: about 1 ms. */
const few = 1_000;

type Sql = SqlClient.SqlClient;
type Slice = ListOrder.Slice;
type Source = ListSources.Source;
type Conditions = ReadonlyMap<ListFilters.Name, Clause>;
type Places = Effect.Effect<ReadonlyArray<ListOrder.Place>, SqlError.SqlError>;

interface Query extends Omit<IssueStore.IssueQuery, "projectId"> {
  readonly conditions: Conditions;
}

const places = (sql: Sql, statement: Clause): Places =>
  Prepared.run<ListOrder.Place>(sql, statement);

const united = (ranges: ReadonlyArray<Clause>): Clause =>
  ranges.reduce((before, range) => clause`${before} UNION ALL ${range}`);

/** Selects the `seq` of all issues of a source. */
const members = (source: Source, sort: IssueFilter.IssueSort): Clause =>
  united(
    source.ranges.map(
      ({ from, table, where }) =>
        clause`SELECT ${raw(table)}.seq FROM ${from(sort)} WHERE ${where}`,
    ),
  );

const isFew = (sql: Sql, source: Source, sort: IssueFilter.IssueSort) =>
  Effect.map(
    Prepared.run<readonly [count: number]>(
      sql,
      clause`SELECT count(*) FROM (${members(source, sort)} ${limit(few + 1)})`,
    ),
    ([row]) => row !== undefined && row[0] <= few,
  );

/** The filters that a source already satisfies. */
const coveredBy = ({ name }: Source): ReadonlyArray<ListFilters.Name> =>
  name === "ready" || name === "project" ? [] : [name];

/** Reads all issues of a source, and sorts the matching ones. */
const collected = (sql: Sql, source: Source, query: Query, scope: Clause, slice: Slice): Places => {
  const { sort = "created" } = query;
  const conditions = and([
    clause`issues.seq IN (${members(source, sort)})`,
    ListFilters.but(query.conditions, coveredBy(source)),
    scope,
    ListOrder.beyond(sort, slice, "issues"),
  ]);
  return places(
    sql,
    clause`SELECT ${ListOrder.place(sort, "issues")} FROM issues
      WHERE ${conditions} ${ListOrder.ordered(sort, slice)}`,
  );
};

/** Scans a source in the order of its index until the slice is full. */
const scanned = (sql: Sql, source: Source, query: Query, scope: Clause, slice: Slice): Places => {
  const { sort = "created", updatedSince } = query;
  // A range of timestamps is a range of an index in update order.
  const isRange = sort === "updated" && updatedSince !== undefined;
  const covered: ReadonlyArray<ListFilters.Name> = [
    ...coveredBy(source),
    ...(isRange ? ["updatedSince" as const] : []),
  ];
  const rest = and([ListFilters.but(query.conditions, covered), scope]);
  const ranges = source.ranges.flatMap(({ from, table, where }) =>
    ListOrder.rangesBeyond(sort, slice, table).map(
      (beyond) => clause`SELECT ${ListOrder.place(sort, table)} FROM ${from(sort)}
        ${raw(table === "issues" ? "" : `CROSS JOIN issues ON issues.seq = ${table}.seq`)}
        WHERE ${where} AND ${isRange ? clause`${raw(table)}.updated_at >= ${updatedSince}` : always}
          AND ${beyond} AND ${rest}`,
    ),
  );
  return places(sql, clause`${united(ranges)} ${ListOrder.ordered(sort, slice)}`);
};

/** The places of a slice of the issues that pass all filters except the words. */
const filtered = Effect.fnUntraced(function* (
  sql: Sql,
  query: Query,
  slice: Slice,
  sources: ReadonlyArray<Source>,
  whole: Source,
  scope: Clause = always,
) {
  const { sort = "created" } = query;
  const inOrder = sources.find(({ sorts }) => sorts.includes(sort));
  const isExact = query.conditions.size === 1 && inOrder !== undefined;
  for (const source of isExact ? [] : sources) {
    if (yield* isFew(sql, source, sort)) return yield* collected(sql, source, query, scope, slice);
  }
  return yield* scanned(sql, inOrder ?? whole, query, scope, slice);
});

/** The places of a slice of a project's issues. */
const find = (sql: Sql, query: IssueStore.IssueQuery, slice: Slice): Places => {
  const { projectId, sort = "created", words = [] } = query;
  const conditions = ListFilters.of(query);
  const some = (slice: Slice, scope: Clause = always) =>
    filtered(
      sql,
      { ...query, conditions },
      slice,
      ListSources.of(query),
      ListSources.project(projectId),
      scope,
    );
  if (words.length === 0) return some(slice);
  return SearchQuery.find(
    sql,
    {
      projectId,
      words,
      sort,
      filter: conditions.size === 0 ? undefined : and([...conditions.values()]),
      some,
    },
    slice,
  );
};

/** The issues at these places, in their order. */
const rowsAt = (sql: Sql, found: ReadonlyArray<ListOrder.Place>) => {
  if (found.length === 0) return Effect.succeed([]);
  const seqs = found.map(([seq]) => seq);
  return Effect.map(
    Prepared.select(sql, IssueTable.table)(clause`WHERE seq IN ${inList(seqs)}`),
    (rows): ReadonlyArray<Issue.IssueRow> => {
      const bySeq = new Map(rows.map((row) => [row.seq, row]));
      return seqs.flatMap((seq) => bySeq.get(seq) ?? []);
    },
  );
};

const isEverything = (query: Omit<IssueStore.IssueQuery, "projectId">): boolean =>
  (query.words ?? []).length === 0 &&
  (query.sort ?? "created") === "created" &&
  ListFilters.of(query).size === 0;

/** Most lists have no filter, and one statement reads their page. */
const newest = (sql: Sql, where: Clause, slice: Slice) =>
  Prepared.select(
    sql,
    IssueTable.table,
  )(
    clause`WHERE ${where} AND ${ListOrder.beyond("created", slice, "issues")}
      ${ListOrder.ordered("created", slice)}`,
  );

export const list = (
  sql: Sql,
  query: IssueStore.IssueQuery,
  slice: Slice,
): Effect.Effect<ReadonlyArray<Issue.IssueRow>, SqlError.SqlError> =>
  isEverything(query)
    ? newest(sql, clause`project_id = ${query.projectId}`, slice)
    : Effect.flatMap(find(sql, query, slice), (found) => rowsAt(sql, found));

/** The projects that may have issues with the statuses. */
const projectsWith = (sql: Sql, statuses: ReadonlyArray<Issue.IssueStatus> | undefined) =>
  Effect.map(
    Prepared.run<readonly [projectId: string]>(
      sql,
      clause`SELECT DISTINCT project_id FROM issue_counts
        WHERE count > 0 AND ${among("status", statuses ?? null)}`,
    ),
    (rows) => rows.map(([projectId]) => projectId),
  );

/**
 * Issues of several projects, from an index over all of them or merged from the first places of
 * each project. The merge takes one statement per project: a page of 100 projects with 300,000
 * issues took 33 ms.
 */
export const across = Effect.fnUntraced(function* (
  sql: Sql,
  { projects, ...query }: IssueStore.AcrossQuery,
  slice: Slice,
): Effect.fn.Return<ReadonlyArray<Issue.IssueRow>, SqlError.SqlError> {
  const { sort = "created", words = [] } = query;
  if (projects === null && isEverything(query)) return yield* newest(sql, always, slice);
  const sources = words.length === 0 ? ListSources.across(query) : [];
  const [first] = sources;
  if (first !== undefined) {
    const conditions = ListFilters.of(query);
    const scope = among("+issues.project_id", projects);
    const all = { ...query, conditions };
    return yield* rowsAt(
      sql,
      first.sorts.includes(sort)
        ? yield* filtered(sql, all, slice, sources, first, scope)
        : yield* collected(sql, first, all, scope, slice),
    );
  }
  let found: ReadonlyArray<ListOrder.Place> = [];
  for (const projectId of projects ?? (yield* projectsWith(sql, query.status))) {
    const next = yield* find(sql, { ...query, projectId }, slice);
    if (next.length > 0) found = ListOrder.merge(sort, slice, [found, next]);
  }
  return yield* rowsAt(sql, found);
});
