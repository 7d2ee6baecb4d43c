import type { Issue, IssueStore, IssueFilter } from "@quartermaster/core";
import { Effect } from "effect";
import type { SqlClient, SqlError } from "effect/sql";
import { always, among, and, type Clause, clause, limit, numbers, raw } from "../sql/Clause.ts";
import * as Dialect from "../sql/Dialect.ts";
import * as Prepared from "../sql/Prepared.ts";
import * as IssueTable from "./IssueTable.ts";
import * as ListFilters from "./ListFilters.ts";
import * as ListOrder from "./ListOrder.ts";
import * as ListSources from "./ListSources.ts";

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

/** Selects the `seq` of all issues of a source. `end` follows each of its ranges. */
const members = (
  source: Source,
  sort: IssueFilter.IssueSort,
  end: (table: string) => Clause = () => raw(""),
): Clause =>
  united(
    source.ranges.map(
      ({ from, table, where }) =>
        clause`SELECT ${raw(table)}.seq FROM ${from(sort)} WHERE ${where} ${end(table)}`,
    ),
  );

/**
 * The first `count` issues of a source. PostgreSQL gets an order that an index has, or it would look
 * for common values in the table from its start, although they may all be at its end.
 */
const first = (sql: Sql, source: Source, sort: IssueFilter.IssueSort, count: number): Clause => {
  if (!Dialect.isPostgres(sql)) return clause`${members(source, sort)} ${limit(count)}`;
  const order = source.sorts.includes("created") ? "created" : source.sorts[0];
  const { ranges, ...rest } = source;
  const firsts = united(
    ranges.map((range) => {
      const columns = order === undefined ? range.by : ListOrder.columns(order, range.table);
      const end = clause`${raw(columns === undefined ? "" : `ORDER BY ${columns}`)} ${limit(count)}`;
      return clause`SELECT seq FROM (${members(
        { ...rest, ranges: [range] },
        sort,
        () => end,
      )}) AS range`;
    }),
  );
  // Ranges after the last counted issue are not read.
  return clause`${firsts} ${limit(count)}`;
};

const isFew = (sql: Sql, source: Source, sort: IssueFilter.IssueSort) =>
  Effect.map(
    Prepared.run<readonly [count: number]>(
      sql,
      clause`SELECT count(*) FROM (${first(sql, source, sort, few + 1)}) AS part`,
    ),
    ([row]) => row !== undefined && row[0] <= few,
  );

/** Reads all issues of a source, and sorts the matching ones. */
const collected = (sql: Sql, source: Source, query: Query, scope: Clause, slice: Slice): Places => {
  const { sort = "created" } = query;
  const conditions = and([
    clause`issues.seq ${Dialect.amongRows(sql, members(source, sort))}`,
    ListFilters.but(query.conditions, source.covers),
    scope,
    ListOrder.beyond(sort, slice, "issues"),
  ]);
  return places(
    sql,
    clause`SELECT ${ListOrder.place(sort, "issues")} FROM issues
      WHERE ${conditions} ${ListOrder.ordered(sort, slice)}`,
  );
};

interface Scan {
  readonly table: ListSources.Range["table"];
  /** The condition of the range, which an index has in the order of the list. */
  readonly range: { readonly from: Clause; readonly where: Clause };
  readonly rest: Clause;
  readonly sort: IssueFilter.IssueSort;
  readonly slice: Slice;
}

/** A scan in SQLite, which merges scans as it reads them. */
const merged = ({ range, rest, sort, table }: Scan): Clause =>
  clause`SELECT ${ListOrder.place(sort, table)} FROM ${range.from}
    ${raw(table === "issues" ? "" : `CROSS JOIN issues ON issues.seq = ${table}.seq`)}
    WHERE ${range.where} AND ${rest}`;

/**
 * A scan in PostgreSQL. The limits set the conditions apart: it would believe that they leave few
 * issues, and read and sort all of the range. No condition may join another table, which would lose
 * the order: see `Dialect.toPostgres`.
 */
const apart = ({ range, rest, sort, slice, table }: Scan): Clause => {
  const inOrder = clause`(SELECT ${raw(table)}.*, ${ListOrder.key(sort, table)} FROM ${range.from}
    WHERE ${range.where} ${ListOrder.ordered(sort, { ...slice, limit: Number.MAX_SAFE_INTEGER })})`;
  const issues =
    table === "issues"
      ? clause`${inOrder} AS issues`
      : clause`${inOrder} AS range
        CROSS JOIN LATERAL (SELECT * FROM issues WHERE issues.seq = range.seq OFFSET 0) AS issues`;
  const from = table === "issues" ? "issues" : "range";
  return clause`SELECT seq, place FROM (
    SELECT ${raw(from)}.seq, ${raw(from)}.place FROM ${issues} WHERE ${rest} ${limit(slice.limit)}
  ) AS part`;
};

/** Scans a source in the order of its index until the slice is full. */
const scanned = (sql: Sql, source: Source, query: Query, scope: Clause, slice: Slice): Places => {
  const { sort = "created" } = query;
  // A range of timestamps is a range of an index in update order.
  const covered: ReadonlyArray<ListFilters.Name> = [
    ...source.covers,
    ...(sort === "updated" ? ["updated" as const] : []),
  ];
  const rest = and([ListFilters.but(query.conditions, covered), scope]);
  const ordered = ListOrder.ordered(sort, slice);
  const scan = Dialect.either(sql, merged, apart);
  const ranges = source.ranges.flatMap(({ from, table, where }) =>
    ListOrder.rangesBeyond(sql, sort, slice, table).map((beyond) => {
      const times = sort === "updated" && ListFilters.updated(query, `${table}.updated_at`);
      const range = { from: from(sort), where: and([where, times || always, beyond]) };
      return scan({ range, rest, sort, slice, table });
    }),
  );
  return places(sql, clause`${united(ranges)} ${ordered}`);
};

/** The places of a slice of the issues that pass all filters. */
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
  const isExact = query.conditions.size === 1 && inOrder !== undefined && inOrder === sources[0];
  for (const source of isExact ? [] : sources) {
    if (yield* isFew(sql, source, sort)) return yield* collected(sql, source, query, scope, slice);
  }
  return yield* scanned(sql, inOrder ?? whole, query, scope, slice);
});

/** The places of a slice of a project's issues. */
const find = (sql: Sql, query: IssueStore.IssueQuery, slice: Slice): Places =>
  ListFilters.isNothing(query)
    ? Effect.succeed([])
    : filtered(
        sql,
        { ...query, conditions: ListFilters.of(query) },
        slice,
        ListSources.of(sql, query),
        ListSources.project(query.projectId),
      );

/** The issues at these places, in their order. */
export const rowsAt = (
  sql: Sql,
  found: ReadonlyArray<readonly [seq: number, ...Array<unknown>]>,
) => {
  if (found.length === 0) return Effect.succeed([]);
  const seqs = found.map(([seq]) => seq);
  return Effect.map(
    Prepared.select(sql, IssueTable.table)(clause`WHERE seq IN ${numbers(seqs)}`),
    (rows): ReadonlyArray<Issue.IssueRow> => {
      const bySeq = new Map(rows.map((row) => [row.seq, row]));
      return seqs.flatMap((seq) => bySeq.get(seq) ?? []);
    },
  );
};

const isEverything = (query: Omit<IssueStore.IssueQuery, "projectId">): boolean =>
  (query.sort ?? "created") === "created" && ListFilters.of(query).size === 0;

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
      clause`SELECT project_id FROM issue_counts WHERE ${among("status", statuses ?? null)}
        GROUP BY project_id HAVING sum(count) > 0`,
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
  const { sort = "created" } = query;
  if (ListFilters.isNothing(query)) return [];
  if (projects === null && isEverything(query)) return yield* newest(sql, always, slice);
  const sources = ListSources.across(query);
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
  for (const projectId of projects ?? (yield* projectsWith(sql, ListFilters.statusesOf(query)))) {
    const next = yield* find(sql, { ...query, projectId }, slice);
    if (next.length > 0) found = ListOrder.merge(sort, slice, [found, next]);
  }
  return yield* rowsAt(sql, found);
});

/** The issues that pass the filters, if one of the filters leaves few. */
export const fewOf = Effect.fnUntraced(function* (
  sql: Sql,
  { projects, ...query }: IssueStore.AcrossQuery,
  conditions: Conditions,
): Effect.fn.Return<ReadonlyArray<number> | undefined, SqlError.SqlError> {
  const [projectId, ...others] = projects ?? [];
  const sources =
    projectId !== undefined && others.length === 0
      ? ListSources.of(sql, { ...query, projectId })
      : ListSources.across(query);
  const slice = { limit: few, order: "desc", after: null } as const;
  const scope = among("+issues.project_id", projects);
  for (const source of sources) {
    if (!(yield* isFew(sql, source, "created"))) continue;
    const found = yield* collected(sql, source, { ...query, conditions }, scope, slice);
    return found.map(([seq]) => seq);
  }
  return undefined;
});
