import { UsageReport, UsageStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import { always, clause, limit, list, raw } from "../sql/Clause.ts";
import * as Dialect from "../sql/Dialect.ts";
import * as Locks from "../sql/Locks.ts";
import * as Prepared from "../sql/Prepared.ts";
import { mapped } from "../sql/StorageErrors.ts";
import * as Table from "../sql/Table.ts";
import * as UsageGroups from "./UsageGroups.ts";
import * as UsageSums from "./UsageSums.ts";

const reports = Table.make<UsageStore.ReportRow>("usage_reports", (cells, row) => ({
  runId: cells.plain("run_id", row.runId),
  key: cells.plain("key", row.key),
  report: cells.plain("report", row.report),
}));

const sessions = Table.make<UsageStore.SessionRow>("usage_sessions", (cells, row) => ({
  agentId: cells.plain("agent_id", row.agentId),
  session: cells.plain("session", row.session),
  source: cells.ranked("source", row.source, UsageReport.sources),
  provider: cells.plain("provider", row.provider),
  model: cells.plain("model", row.model),
  totals: cells.json("totals", row.totals),
  updatedAt: cells.plain("updated_at", row.updatedAt),
}));

const hours = Table.make<UsageStore.UsageRow>("usage_hours", (cells, row) => ({
  runId: cells.plain("run_id", row.runId),
  source: cells.ranked("source", row.source, UsageReport.sources),
  at: cells.plain("starts_at", row.at),
  model: cells.plain("model", row.model),
  agentId: cells.plain("agent_id", row.agentId),
  projectId: cells.plain("project_id", row.projectId),
  issueId: cells.plain("issue_id", row.issueId),
  requests: cells.plain("requests", row.requests),
  inputTokens: cells.plain("input_tokens", row.inputTokens),
  outputTokens: cells.plain("output_tokens", row.outputTokens),
  cacheReadTokens: cells.plain("cache_read_tokens", row.cacheReadTokens),
  cacheWriteTokens: cells.plain("cache_write_tokens", row.cacheWriteTokens),
  reasoningTokens: cells.plain("reasoning_tokens", row.reasoningTokens),
  costMicros: cells.plain("cost_micros", row.costMicros),
  requestsWithoutCost: cells.plain("requests_without_cost", row.requestsWithoutCost),
}));

/** Adds to the stored sums of a row. */
const adding = (sql: SqlClient.SqlClient) => {
  const least = Dialect.either(sql, "min", "least");
  return `ON CONFLICT (run_id, source, starts_at, model) DO UPDATE SET ${UsageSums.columns
    .map(
      (column) =>
        `${column} = ${least}(usage_hours.${column} + excluded.${column}, ${UsageGroups.most})`,
    )
    .join(", ")}`;
};

/** Marks the rows of the best source of each run, which is the smallest number. */
const mark = (runIds: ReadonlyArray<string>) =>
  clause`UPDATE usage_hours SET counted = CASE source WHEN (
      SELECT min(source) FROM usage_hours AS others WHERE others.run_id = usage_hours.run_id
    ) THEN 1 ELSE 0 END WHERE run_id IN ${list(runIds)}`;

/** Runs that have reported are not counted as runs without usage. */
const reported = (runIds: ReadonlyArray<string>) =>
  clause`UPDATE runs SET has_usage = 1 WHERE id IN ${list(runIds)} AND has_usage = 0`;

const prune = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  before: string,
  count: number,
) {
  const oldest = clause`WHERE starts_at < ${before} ORDER BY starts_at ${limit(count)}`;
  const found = yield* Prepared.run<readonly [runId: string]>(
    sql,
    clause`SELECT DISTINCT run_id FROM (
      SELECT run_id FROM usage_hours ${oldest} ${raw(Dialect.skipping(sql))}
    ) AS part`,
  );
  const runIds = found.map(([runId]) => runId);
  const batch = Locks.batch(sql, "usage_hours", "run_id, source, starts_at, model", oldest);
  // Rows that another transaction has unlocked in the meantime may be of other runs.
  const ofRuns = Dialect.either(sql, always, clause`run_id IN ${list(runIds)}`);
  const rows = yield* UsageSums.changing(
    sql,
    runIds,
    Prepared.count(sql, clause`DELETE FROM usage_hours WHERE ${batch} AND ${ofRuns} RETURNING 1`),
  );
  yield* Prepared.execute(sql, UsageSums.removeEmpty(sql, before.slice(0, 10), count));
  const totals = yield* Prepared.count(
    sql,
    clause`DELETE FROM usage_sessions WHERE ${Locks.batch(
      sql,
      "usage_sessions",
      "agent_id, session, source, provider, model",
      clause`WHERE updated_at < ${before} ORDER BY updated_at ${limit(count)}`,
    )} RETURNING 1`,
  );
  return rows + totals;
});

/** Reported usage in the current `SqlClient`. */
export const layer: Layer.Layer<UsageStore.UsageStore, never, SqlClient.SqlClient> = Layer.effect(
  UsageStore.UsageStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const selectReports = Prepared.select(sql, reports);
    const selectSessions = Prepared.select(sql, sessions);
    const insertReports = Prepared.insert(sql, reports);
    const putSessions = Prepared.upsert(sql, sessions, [
      "agent_id",
      "session",
      "source",
      "provider",
      "model",
    ]);
    const addHours = Prepared.insert(sql, hours, adding(sql));
    return UsageStore.UsageStore.of({
      reports: (runId, keys) =>
        mapped(selectReports(clause`WHERE run_id = ${runId} AND key IN ${list(keys)}`)),
      sessions: (agentId, names) =>
        mapped(selectSessions(clause`WHERE agent_id = ${agentId} AND session IN ${list(names)}`)),
      add: (added) => {
        const runIds = [...new Set(added.rows.map(({ runId }) => runId))];
        const rows = Effect.all(
          [
            addHours(added.rows),
            Prepared.execute(sql, mark(runIds)),
            Prepared.execute(sql, reported(runIds)),
          ],
          { discard: true },
        );
        return mapped(
          Effect.all(
            [
              insertReports(added.reports),
              putSessions(added.sessions),
              UsageSums.changing(sql, runIds, rows),
            ],
            { discard: true },
          ),
        );
      },
      ofRuns: (runIds) => mapped(UsageGroups.ofRuns(sql, runIds)),
      groups: (query, slice) => mapped(UsageGroups.read(sql, query, slice)),
      prune: (before, count) => mapped(prune(sql, before, count)),
    });
  }),
);
