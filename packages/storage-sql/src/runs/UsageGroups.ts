import { type Page, Usage, type UsageStore } from "@quartermaster/core";
import { Effect } from "effect";
import type { SqlClient } from "effect/sql";
import { always, among, and, type Clause, clause, limit, list, raw } from "../sql/Clause.ts";
import * as Dialect from "../sql/Dialect.ts";
import * as Prepared from "../sql/Prepared.ts";
import { type Range, split, within } from "./UsageRanges.ts";
import * as UsageSums from "./UsageSums.ts";

type Sql = SqlClient.SqlClient;
const { columns } = UsageSums;

/** Sums of the rows that count. */

/** The largest sum. */
export const most = Number.MAX_SAFE_INTEGER;

const sums = (sql: Sql) =>
  raw(columns.map((column) => UsageSums.capped(sql, column, most)).join(", "));

const sumsOf = (cells: ReadonlyArray<unknown>, from: number): Usage.Sums =>
  Object.fromEntries(
    Usage.names.map((name, index) => [name, cells[from + index]]),
  ) as unknown as Usage.Sums;

const plus = (a: Usage.Sums, b: Usage.Sums): Usage.Sums =>
  Object.fromEntries(
    Usage.names.map((name) => [name, Math.min(a[name] + b[name], most)]),
  ) as unknown as Usage.Sums;

export const ofRuns = Effect.fnUntraced(function* (sql: Sql, runIds: ReadonlyArray<string>) {
  const rows = yield* Prepared.run<readonly [runId: string, model: string, ...Array<number>]>(
    sql,
    clause`SELECT run_id, model, ${sums(sql)}
      FROM usage_hours WHERE run_id IN ${list(runIds)} AND counted = 1 GROUP BY run_id, model
      ORDER BY run_id, ${raw(UsageSums.summed(sql, "input_tokens + output_tokens"))} DESC, model`,
  );
  const usages = new Map<string, Usage.RunUsage>();
  for (const [runId, model, ...cells] of rows) {
    const { models, ...others } = usages.get(runId) ?? { ...Usage.none, models: [] };
    usages.set(runId, {
      ...plus(others, sumsOf(cells, 0)),
      models: models.length < Usage.maxModels ? [...models, model] : models,
    });
  }
  return usages;
});

interface Asked extends UsageStore.UsageQuery {
  readonly sql: Sql;
  readonly slice: Page.Slice<string>;
}

/** The key of a group in `usage_hours` and in `runs`; a run without usage is in no group of a model. */
const keys: Readonly<Record<Usage.GroupBy, readonly [ofHour: Clause, ofRun: Clause | null]>> = {
  agent: [raw("agent_id"), raw("agent_id")],
  project: [raw("project_id"), raw("project_id")],
  model: [raw("model"), null],
  issue: [raw("issue_id"), raw("issue_id")],
  day: [raw("substr(starts_at, 1, 10)"), raw("substr(started_at, 1, 10)")],
};

/** A part of the groups has their keys, runs, runs without usage, and sums. */
const own = (sql: Sql) =>
  raw(columns.map((column) => `${UsageSums.summed(sql, column)} AS ${column}`).join(", "));
const zeros = raw(columns.map((column) => `0 AS ${column}`).join(", "));

/** The filters, and the groups after the key of the slice. */
const conditions = (
  { agentId, issueId, projectId, projects, slice: { after, order } }: Asked,
  key: Clause,
): Clause =>
  and([
    among("project_id", projects),
    after === null ? always : clause`${key} ${raw(order === "asc" ? ">" : "<")} ${after}`,
    agentId === undefined ? always : clause`agent_id = ${agentId}`,
    projectId === undefined ? always : clause`project_id = ${projectId}`,
    issueId === undefined ? always : clause`issue_id = ${issueId}`,
  ]);

const ofModel = ({ groupBy }: Asked): Clause =>
  raw(groupBy === "model" ? "model <> ''" : "model = ''");

/** Usage by the hour. */
const reported = (
  asked: Asked,
  runs: string,
  range: Range,
  from = "usage_hours",
  which = always,
): Clause => {
  const [key] = keys[asked.groupBy];
  return clause`SELECT ${key} AS key, ${raw(runs)} AS runs, 0 AS silent, ${own(asked.sql)}
    FROM ${raw(from)}
    WHERE counted = 1 AND ${within("starts_at", range)} AND ${conditions(asked, key)} AND ${which}
    GROUP BY 1`;
};

/** Conditions for groups with runs: on rows, and on groups, because differences do not have runs each. */
const withRuns = ({ sql }: Asked): readonly [ofRow: Clause, ofGroup: Clause] =>
  Dialect.either(
    sql,
    [raw("runs > 0"), raw("")] as const,
    [always, raw("HAVING sum(runs) > 0")] as const,
  );

/** Usage by the month or day, with the runs that first reported then. */
const summed = (asked: Asked, unit: "day" | "month", range: Range): Clause => {
  const [key] = keys[asked.groupBy];
  const [isThere, areThere] = withRuns(asked);
  return clause`SELECT ${key} AS key, sum(first_runs) AS runs, 0 AS silent, ${own(asked.sql)}
    FROM ${UsageSums.table(asked.sql)}
    WHERE unit = ${unit} AND ${within("starts", range, unit)} AND ${isThere}
      AND ${ofModel(asked)} AND ${conditions(asked, key)}
    GROUP BY 1 ${areThere}`;
};

/** The days of the page. */
const byDay = (asked: Asked, range: Range): Clause => {
  const { limit: most, order } = asked.slice;
  const [isThere, areThere] = withRuns(asked);
  const from = clause`FROM ${UsageSums.table(asked.sql)}
    WHERE unit = 'day' AND ${within("starts", range, "day")} AND ${isThere}
      AND ${ofModel(asked)} AND ${conditions(asked, raw("starts"))}`;
  const days = Dialect.either(
    asked.sql,
    clause`SELECT DISTINCT starts ${from}`,
    clause`SELECT starts ${from} GROUP BY starts ${areThere}`,
  );
  return clause`SELECT starts AS key, sum(runs) AS runs, 0 AS silent, ${own(asked.sql)} ${from}
    AND starts IN (${days} ORDER BY starts ${raw(order)} ${limit(most)}) GROUP BY 1`;
};

/** Runs without usage. */
const silent = (asked: Asked, index: string, which = always): ReadonlyArray<Clause> => {
  const [, key] = keys[asked.groupBy];
  if (key === null) return [];
  return [
    clause`SELECT ${key} AS key, count(*) AS runs, count(*) AS silent, ${zeros}
      FROM runs INDEXED BY ${raw(index)}
      WHERE has_usage = 0 AND ${within("started_at", asked)} AND ${conditions(asked, key)} AND ${which}
      GROUP BY 1`,
  ];
};

const spanning = (asked: Asked, where: Clause): Clause => {
  const [key] = keys[asked.groupBy];
  return clause`SELECT ${key} AS key, count(*) AS runs, 0 AS silent, ${zeros} FROM usage_runs
    WHERE ${where} AND ${ofModel(asked)} AND ${conditions(asked, key)} GROUP BY 1`;
};

/** Whether a run of `usage_runs` reported in the range. */
const reportedIn = ({ from, to }: Range): Clause =>
  and([
    from === undefined ? always : clause`last_at >= ${from}`,
    to === undefined ? always : clause`first_at < ${to}`,
    from === undefined || to === undefined
      ? always
      : clause`first_at >= ${from} OR last_at < ${to} OR EXISTS (
          SELECT 1 FROM usage_hours
          WHERE usage_hours.run_id = usage_runs.run_id AND counted = 1
            AND usage_runs.model IN ('', usage_hours.model) AND ${within("starts_at", { from, to })}
        )`,
  ]);

/** The issues of the page: there are as many groups as issues. */
const ofPage = (asked: Asked): Clause => {
  const { order, limit: most } = asked.slice;
  return clause`issue_id IN (
    SELECT issue_id FROM usage_runs INDEXED BY usage_runs_issue
    WHERE model = '' AND ${conditions(asked, raw("issue_id"))} AND ${reportedIn(asked)}
    UNION
    SELECT issue_id FROM runs INDEXED BY runs_silent_issue
    WHERE has_usage = 0 AND ${within("started_at", asked)} AND ${conditions(asked, raw("issue_id"))}
    ORDER BY issue_id ${raw(order)} ${limit(most)}
  )`;
};

const distinct = "count(DISTINCT run_id)";

const parts = (asked: Asked): ReadonlyArray<Clause> => {
  const { from, groupBy, issueId } = asked;
  if (groupBy === "issue" || issueId !== undefined) {
    const which = issueId === undefined ? ofPage(asked) : always;
    const hours = "usage_hours INDEXED BY usage_hours_issue";
    return [
      reported(asked, distinct, asked, hours, which),
      ...silent(asked, "runs_silent_issue", which),
    ];
  }
  const days = split("day", asked);
  if (groupBy === "day") {
    return [
      ...days.whole.map((range) => byDay(asked, range)),
      ...days.rest.map((range) => reported(asked, distinct, range)),
      ...silent(asked, "runs_silent"),
    ];
  }
  const months = days.whole.map((range) => split("month", range));
  return [
    ...months.flatMap(({ whole }) => whole.map((range) => summed(asked, "month", range))),
    ...months.flatMap(({ rest }) => rest.map((range) => summed(asked, "day", range))),
    ...days.rest.flatMap((range) => [
      reported(asked, "0", range),
      spanning(asked, within("first_at", range)),
    ]),
    ...(from === undefined
      ? []
      : [
          spanning(
            asked,
            clause`last_at > first_at AND first_at < ${from} AND ${reportedIn(asked)}`,
          ),
        ]),
    ...silent(asked, "runs_silent"),
  ];
};

export const read = (sql: Sql, query: UsageStore.UsageQuery, slice: Page.Slice<string>) => {
  const all = parts({ ...query, sql, slice });
  const union = {
    text: all.map(({ text }) => text).join("\nUNION ALL "),
    params: all.flatMap(({ params }) => params),
  };
  return Effect.map(
    Prepared.run<readonly [key: string, runs: number, silent: number, ...Array<number>]>(
      sql,
      clause`SELECT key, sum(runs), sum(silent), ${sums(sql)}
        FROM (${union}) AS part GROUP BY key ORDER BY key ${raw(slice.order)} ${limit(slice.limit)}`,
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
