import { UsageReport, UsageStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import * as Prepared from "../client/Prepared.ts";
import { mapped } from "../client/StorageErrors.ts";
import { clause, list } from "../sql/Clause.ts";
import * as Table from "../sql/Table.ts";
import * as UsageGroups from "./UsageGroups.ts";

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
const adding = `ON CONFLICT (run_id, source, starts_at, model) DO UPDATE SET ${UsageGroups.columns
  .map(
    (column) => `${column} = min(usage_hours.${column} + excluded.${column}, ${UsageGroups.most})`,
  )
  .join(", ")}`;

/** Marks the rows of the best source of each run, which is the smallest number. */
const mark = (runIds: ReadonlyArray<string>) =>
  clause`UPDATE usage_hours SET counted = source = (
      SELECT min(source) FROM usage_hours AS others WHERE others.run_id = usage_hours.run_id
    ) WHERE run_id IN ${list(runIds)}`;

const prune = (sql: SqlClient.SqlClient, before: string, count: number) =>
  Effect.zipWith(
    Prepared.count(
      sql,
      clause`DELETE FROM usage_hours WHERE (run_id, source, starts_at, model) IN (
        SELECT run_id, source, starts_at, model FROM usage_hours WHERE starts_at < ${before}
        ORDER BY starts_at LIMIT ${count} + 0
      ) RETURNING 1`,
    ),
    Prepared.count(
      sql,
      clause`DELETE FROM usage_sessions WHERE (agent_id, session, source, provider, model) IN (
        SELECT agent_id, session, source, provider, model FROM usage_sessions
        WHERE updated_at < ${before} ORDER BY updated_at LIMIT ${count} + 0
      ) RETURNING 1`,
    ),
    (rows, totals) => rows + totals,
  );

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
    const addHours = Prepared.insert(sql, hours, adding);
    return UsageStore.UsageStore.of({
      reports: (runId, keys) =>
        mapped(selectReports(clause`WHERE run_id = ${runId} AND key IN ${list(keys)}`)),
      sessions: (agentId, names) =>
        mapped(selectSessions(clause`WHERE agent_id = ${agentId} AND session IN ${list(names)}`)),
      add: (added) =>
        mapped(
          Effect.all(
            [
              insertReports(added.reports),
              putSessions(added.sessions),
              addHours(added.rows),
              Prepared.execute(sql, mark([...new Set(added.rows.map(({ runId }) => runId))])),
            ],
            { discard: true },
          ),
        ),
      ofRuns: (runIds) => mapped(UsageGroups.ofRuns(sql, runIds)),
      groups: (query, slice) => mapped(UsageGroups.read(sql, query, slice)),
      prune: (before, count) => mapped(prune(sql, before, count)),
    });
  }),
);
