import type { Issue, IssueStore, Page } from "@quartermaster/core";
import { Effect } from "effect";
import type { SqlClient, SqlError } from "effect/sql";
import * as Prepared from "../client/Prepared.ts";
import {
  always,
  and,
  beyond,
  type Clause,
  clause,
  list as inList,
  ordered,
  raw,
} from "../sql/Clause.ts";
import * as IssueTable from "./IssueTable.ts";
import * as SearchQuery from "./SearchQuery.ts";

/**
 * Lists of issues. The index of one filter, the leading one, finds the `seq` of a page. The other
 * filters are checked on what it finds.
 */

/** Up to so many recently updated issues are sorted. If there are more, a scan by `seq` finds a page soon. */
const sortable = 10_000;

type Sql = SqlClient.SqlClient;
type Column = "assigned_agent_id" | "assignee_user_id" | "goal_id" | "priority" | "status";

interface Filter {
  readonly column: Column;
  readonly value: string | number;
}

const filtersOf = (query: IssueStore.IssueQuery): ReadonlyArray<Filter> => {
  const filters: Array<Filter> = [];
  if (query.goalId !== undefined) filters.push({ column: "goal_id", value: query.goalId });
  if (query.priority !== undefined) {
    filters.push({ column: "priority", value: IssueTable.priorityRank(query.priority) });
  }
  if (query.status !== undefined) filters.push({ column: "status", value: query.status });
  return filters;
};

/** A filter without an index: the unary plus keeps SQLite's planner from it. */
const checked = (filter: Filter) => clause`+${raw(filter.column)} = ${filter.value}`;

const conditionsOf = (query: IssueStore.IssueQuery): ReadonlyArray<Clause> => [
  ...filtersOf(query).map(checked),
  ...(query.assigneeId === undefined
    ? []
    : [
        clause`(+assigned_agent_id = ${query.assigneeId} OR +assignee_user_id = ${query.assigneeId})`,
      ]),
  ...(query.updatedSince === undefined ? [] : [clause`+updated_at >= ${query.updatedSince}`]),
];

const through = (query: IssueStore.IssueQuery, leading: Filter | undefined, slice: Page.Slice) => {
  const others = filtersOf(query).filter(({ column }) => column !== leading?.column);
  const conditions = [
    clause`project_id = ${query.projectId}`,
    ...(leading === undefined ? [] : [clause`${raw(leading.column)} = ${leading.value}`]),
    ...others.map(checked),
    ...(query.updatedSince === undefined ? [] : [clause`+updated_at >= ${query.updatedSince}`]),
    beyond(slice),
  ];
  return clause`SELECT seq FROM issues WHERE ${and(conditions)}`;
};

const updatedFew = Effect.fnUntraced(function* (sql: Sql, query: IssueStore.IssueQuery) {
  if (query.updatedSince === undefined) return false;
  const [row] = yield* Prepared.run<readonly [count: number]>(
    sql,
    clause`SELECT count(*) FROM (
      SELECT 1 FROM issues WHERE project_id = ${query.projectId}
        AND updated_at >= ${query.updatedSince} LIMIT ${sortable + 1})`,
  );
  return row !== undefined && row[0] <= sortable;
});

/** Selects the `seq` of a slice of the issues that the filters other than words allow. */
const filtered = Effect.fnUntraced(function* (
  sql: Sql,
  query: IssueStore.IssueQuery,
  slice: Page.Slice,
) {
  if (query.assigneeId !== undefined) {
    const value = query.assigneeId;
    return clause`
      ${through(query, { column: "assigned_agent_id", value }, slice)}
      UNION ${through(query, { column: "assignee_user_id", value }, slice)}
      ${ordered(slice)}`;
  }
  if (query.updatedSince !== undefined && (yield* updatedFew(sql, query))) {
    return clause`SELECT seq FROM issues WHERE seq IN (
        SELECT seq FROM issues WHERE project_id = ${query.projectId}
          AND updated_at >= ${query.updatedSince}
      ) AND ${and([...conditionsOf(query), beyond(slice)])}
      ${ordered(slice)}`;
  }
  return clause`${through(query, filtersOf(query)[0], slice)} ${ordered(slice)}`;
});

const searched = (
  sql: Sql,
  query: IssueStore.IssueQuery,
  words: ReadonlyArray<string>,
  slice: Page.Slice,
) => {
  const conditions = conditionsOf(query);
  const first = Effect.fnUntraced(function* (limit: number) {
    const rows = yield* Prepared.run<readonly [seq: number]>(
      sql,
      yield* filtered(sql, query, { ...slice, limit }),
    );
    return rows.map(([seq]) => seq);
  });
  return SearchQuery.find(
    sql,
    {
      projectId: query.projectId,
      words,
      filter: conditions.length === 0 ? undefined : { conditions: and(conditions), first },
    },
    slice,
  );
};

const isEverything = (query: IssueStore.IssueQuery): boolean =>
  filtersOf(query).length === 0 &&
  query.assigneeId === undefined &&
  query.updatedSince === undefined;

export const list = Effect.fnUntraced(function* (
  sql: Sql,
  query: IssueStore.IssueQuery,
  slice: Page.Slice,
): Effect.fn.Return<ReadonlyArray<Issue.IssueRow>, SqlError.SqlError> {
  const words = query.words ?? [];
  const select = Prepared.select(sql, IssueTable.table);
  // Most lists have no filter: their page needs no subquery.
  if (words.length === 0 && isEverything(query)) {
    return yield* select(
      clause`WHERE project_id = ${query.projectId} AND ${beyond(slice)} ${ordered(slice)}`,
    );
  }
  const page =
    words.length > 0
      ? inList(yield* searched(sql, query, words, slice))
      : clause`(${yield* filtered(sql, query, slice)})`;
  return yield* select(clause`WHERE seq IN ${page} ORDER BY seq ${raw(slice.order)}`);
});

/** The projects that may have issues of the status. */
const projectsWith = (sql: Sql, status: Issue.IssueStatus | undefined) =>
  Effect.map(
    Prepared.run<readonly [projectId: string]>(
      sql,
      clause`SELECT DISTINCT project_id FROM issue_counts
        WHERE count > 0 AND ${status === undefined ? always : clause`status = ${status}`}`,
    ),
    (rows) => rows.map(([projectId]) => projectId),
  );

/**
 * Issues of several projects: the first `seq` of each project by its own indexes, merged. Each project
 * takes one statement: a page of 100 projects with 300,000 issues took 33 ms.
 */
export const across = Effect.fnUntraced(function* (
  sql: Sql,
  { projects, ...filters }: IssueStore.AcrossQuery,
  slice: Page.Slice,
): Effect.fn.Return<ReadonlyArray<Issue.IssueRow>, SqlError.SqlError> {
  const select = Prepared.select(sql, IssueTable.table);
  const words = filters.words ?? [];
  if (projects === null && words.length === 0 && isEverything({ ...filters, projectId: "" })) {
    return yield* select(clause`WHERE ${beyond(slice)} ${ordered(slice)}`);
  }
  const sign = slice.order === "asc" ? 1 : -1;
  let found: ReadonlyArray<number> = [];
  for (const projectId of projects ?? (yield* projectsWith(sql, filters.status))) {
    const query = { ...filters, projectId };
    const next =
      words.length > 0
        ? yield* searched(sql, query, words, slice)
        : (yield* Prepared.run<readonly [seq: number]>(
            sql,
            yield* filtered(sql, query, slice),
          )).map(([seq]) => seq);
    if (next.length > 0) {
      found = [...found, ...next].toSorted((a, b) => (a - b) * sign).slice(0, slice.limit);
    }
  }
  return yield* select(clause`WHERE seq IN ${inList(found)} ORDER BY seq ${raw(slice.order)}`);
});
