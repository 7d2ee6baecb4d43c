import { Effect } from "effect";
import type { Issue, IssueStore, Page } from "@quartermaster/core";
import type { SqlClient, SqlError, Statement } from "effect/sql";
import * as IssueColumns from "./IssueColumns.ts";
import * as Batch from "../sql/Batch.ts";
import * as Keyset from "../sql/Keyset.ts";
import * as Prepared from "../client/Prepared.ts";
import * as SearchQuery from "./SearchQuery.ts";

/**
 * Lists of issues. First the `seq` of a page are found, through the index of one filter (the
 * `leading` one); the others are judged on what it finds.
 */

/** So many recently updated issues are sorted; more are met soon enough in the order of `seq`. */
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
    filters.push({ column: "priority", value: IssueColumns.priorityRank(query.priority) });
  }
  if (query.status !== undefined) filters.push({ column: "status", value: query.status });
  return filters;
};

/** SQLite alone: the unary plus keeps the planner from the column's index. */
const judged = (sql: Sql, filter: Filter) => sql`+${sql.literal(filter.column)} = ${filter.value}`;

const conditionsOf = (
  sql: Sql,
  query: IssueStore.IssueQuery,
): ReadonlyArray<Statement.Fragment> => [
  ...filtersOf(query).map((filter) => judged(sql, filter)),
  ...(query.assigneeId === undefined
    ? []
    : [sql`(+assigned_agent_id = ${query.assigneeId} OR +assignee_user_id = ${query.assigneeId})`]),
  ...(query.updatedSince === undefined ? [] : [sql`+updated_at >= ${query.updatedSince}`]),
];

const through = (
  sql: Sql,
  query: IssueStore.IssueQuery,
  leading: Filter | undefined,
  slice: Page.Slice,
) => {
  const others = filtersOf(query).filter(({ column }) => column !== leading?.column);
  const conditions = [
    sql`project_id = ${query.projectId}`,
    ...(leading === undefined ? [] : [sql`${sql.literal(leading.column)} = ${leading.value}`]),
    ...others.map((filter) => judged(sql, filter)),
    ...(query.updatedSince === undefined ? [] : [sql`+updated_at >= ${query.updatedSince}`]),
    Keyset.beyond(sql, slice),
  ];
  return sql`SELECT seq FROM issues WHERE ${sql.and(conditions)}`;
};

const updatedFew = Effect.fnUntraced(function* (sql: Sql, query: IssueStore.IssueQuery) {
  if (query.updatedSince === undefined) return false;
  const [row] = yield* sql<{ readonly n: number }>`SELECT count(*) AS n FROM (
    SELECT 1 FROM issues WHERE project_id = ${query.projectId}
      AND updated_at >= ${query.updatedSince} LIMIT ${sortable + 1})`;
  return row !== undefined && row.n <= sortable;
});

/** The `seq` of a slice of the issues that the filters other than words allow. */
const filtered = Effect.fnUntraced(function* (
  sql: Sql,
  query: IssueStore.IssueQuery,
  slice: Page.Slice,
) {
  if (query.assigneeId !== undefined) {
    const value = query.assigneeId;
    return sql<{ readonly seq: number }>`
      ${through(sql, query, { column: "assigned_agent_id", value }, slice)}
      UNION ${through(sql, query, { column: "assignee_user_id", value }, slice)}
      ${Keyset.ordered(sql, slice)}`;
  }
  if (yield* updatedFew(sql, query)) {
    return sql<{ readonly seq: number }>`SELECT seq FROM issues WHERE seq IN (
        SELECT seq FROM issues WHERE project_id = ${query.projectId}
          AND updated_at >= ${query.updatedSince}
      ) AND ${sql.and([...conditionsOf(sql, query), Keyset.beyond(sql, slice)])}
      ${Keyset.ordered(sql, slice)}`;
  }
  return sql<{ readonly seq: number }>`${through(sql, query, filtersOf(query)[0], slice)}
    ${Keyset.ordered(sql, slice)}`;
});

const searched = (
  sql: Sql,
  query: IssueStore.IssueQuery,
  words: ReadonlyArray<string>,
  slice: Page.Slice,
) => {
  const conditions = conditionsOf(sql, query);
  const first = Effect.fnUntraced(function* (limit: number) {
    const rows = yield* yield* filtered(sql, query, { ...slice, limit });
    return rows.map((row) => row.seq);
  });
  return SearchQuery.find(
    sql,
    {
      projectId: query.projectId,
      words,
      filter: conditions.length === 0 ? undefined : { conditions: sql.and(conditions), first },
    },
    slice,
  );
};

/** A page of all issues of a project, which is asked for most. */
const everything = (sql: Sql, projectId: string, { after, limit, order }: Page.Slice) => {
  const [sign, from] = order === "asc" ? [">", 0] : ["<", Number.MAX_SAFE_INTEGER];
  return Prepared.query<IssueColumns.IssueColumns>(
    sql,
    `SELECT ${IssueColumns.of()} FROM issues WHERE project_id = ? AND seq ${sign} ?
      ORDER BY seq ${order} ${Keyset.limit}`,
  )(projectId, after ?? from, limit);
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
  if (words.length === 0 && isEverything(query)) {
    return (yield* everything(sql, query.projectId, slice)).map(IssueColumns.toRow);
  }
  const page =
    words.length > 0
      ? Batch.list(sql, yield* searched(sql, query, words, slice))
      : sql`(${yield* filtered(sql, query, slice)})`;
  const rows = (yield* sql`SELECT ${sql.literal(IssueColumns.of())} FROM issues
    WHERE seq IN ${page} ORDER BY seq ${sql.literal(slice.order)}`
    .values) as ReadonlyArray<IssueColumns.IssueColumns>;
  return rows.map(IssueColumns.toRow);
});
