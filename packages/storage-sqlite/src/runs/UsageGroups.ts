import { type Page, Usage, type UsageStore } from "@quartermaster/core";
import { Effect } from "effect";
import type { SqlClient } from "effect/sql";
import * as Prepared from "../client/Prepared.ts";
import { always, among, and, type Clause, clause, limit, list, raw } from "../sql/Clause.ts";

/** Sums of the rows that count. */

/** The largest sum. */
export const most = Number.MAX_SAFE_INTEGER;

/** The columns of `Usage.names`, in their order. */
export const columns = Usage.names.map((name) =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
);

/** `sum` fails beyond 64 bits. `total` has no limit, and is exact up to 2^53. */
const sums = raw(
  columns.map((column) => `CAST(min(total(${column}), ${most}) AS INTEGER)`).join(", "),
);

const sumsOf = (cells: ReadonlyArray<unknown>, from: number): Usage.Sums =>
  Object.fromEntries(
    Usage.names.map((name, index) => [name, cells[from + index]]),
  ) as unknown as Usage.Sums;

export const ofRuns = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  runIds: ReadonlyArray<string>,
) {
  const rows = yield* Prepared.run<readonly [runId: string, models: string, ...Array<number>]>(
    sql,
    clause`SELECT run_id, json_group_array(model ORDER BY input_tokens + output_tokens DESC, model), ${sums}
      FROM (
        SELECT run_id, model, ${raw(columns.map((column) => `total(${column}) AS ${column}`).join(", "))}
        FROM usage_hours WHERE run_id IN ${list(runIds)} AND counted = 1 GROUP BY run_id, model
      ) GROUP BY run_id`,
  );
  return new Map(
    rows.map(([runId, models, ...cells]): [string, Usage.RunUsage] => [
      runId,
      { ...sumsOf(cells, 0), models: JSON.parse(models).slice(0, Usage.maxModels) },
    ]),
  );
});

/** The group of a row of `usage_hours`, and of a run without usage; null for none. */
const keys: Readonly<Record<Usage.GroupBy, readonly [ofRow: string, ofRun: string | null]>> = {
  agent: ["agent_id", "agent_id"],
  project: ["project_id", "project_id"],
  model: ["model", null],
  issue: ["issue_id", "issue_id"],
  day: ["substr(starts_at, 1, 10)", "substr(started_at, 1, 10)"],
};

const conditions = (
  { agentId, from, issueId, projectId, projects, to }: UsageStore.UsageQuery,
  { after, order }: Page.Slice<string>,
  key: Clause,
  time: Clause,
): Clause =>
  and([
    among("project_id", projects),
    after === null ? always : clause`${key} ${raw(order === "asc" ? ">" : "<")} ${after}`,
    agentId === undefined ? always : clause`agent_id = ${agentId}`,
    projectId === undefined ? always : clause`project_id = ${projectId}`,
    issueId === undefined ? always : clause`issue_id = ${issueId}`,
    from === undefined ? always : clause`${time} >= ${from}`,
    to === undefined ? always : clause`${time} < ${to}`,
  ]);

export const read = (
  sql: SqlClient.SqlClient,
  query: UsageStore.UsageQuery,
  slice: Page.Slice<string>,
) => {
  const [ofRow, ofRun] = keys[query.groupBy];
  const reported = clause`SELECT ${raw(ofRow)} AS key, run_id, ${raw(columns.join(", "))}, 0 AS silent
    FROM usage_hours
    WHERE counted = 1 AND ${conditions(query, slice, raw(ofRow), raw("starts_at"))}`;
  const silent =
    ofRun === null
      ? raw("")
      : clause`UNION ALL SELECT ${raw(ofRun)}, id, ${raw(columns.map(() => "0").join(", "))}, 1
          FROM runs
          WHERE ${conditions(query, slice, raw(ofRun), raw("started_at"))}
            AND NOT EXISTS (SELECT 1 FROM usage_hours WHERE usage_hours.run_id = runs.id)`;
  return Effect.map(
    Prepared.run<readonly [key: string, runs: number, silent: number, ...Array<number>]>(
      sql,
      clause`SELECT key, count(DISTINCT run_id), sum(silent), ${sums}
        FROM (${reported} ${silent}) GROUP BY key ORDER BY key ${raw(slice.order)} ${limit(slice.limit)}`,
    ),
    (rows) =>
      rows.map(([key, runs, runsWithoutUsage, ...cells]): Usage.GroupUsage => ({
        key,
        runs,
        ...sumsOf(cells, 0),
        runsWithoutUsage,
      })),
  );
};
