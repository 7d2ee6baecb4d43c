import { type ToolCall, ToolCallStore } from "@quartermaster/core";
import { Effect, Layer, Option } from "effect";
import { SqlClient, type SqlError } from "effect/sql";
import {
  always,
  and,
  beyond,
  type Cell,
  type Clause,
  clause,
  limit,
  list,
  ordered,
  raw,
} from "../sql/Clause.ts";
import * as Locks from "../sql/Locks.ts";
import * as Prepared from "../sql/Prepared.ts";
import { mapped } from "../sql/StorageErrors.ts";
import * as Table from "../sql/Table.ts";

/** The columns that admitted and ended calls share. */
const common = (cells: Table.Cells, row: Omit<ToolCall.ToolCallRow, "durationMs" | "outcome">) => ({
  seq: cells.plain("seq", row.seq),
  id: cells.plain("id", row.id),
  agentId: cells.plain("agent_id", row.agentId),
  runId: cells.plain("run_id", row.runId),
  issueId: cells.plain("issue_id", row.issueId),
  projectId: cells.plain("project_id", row.projectId),
  keyId: cells.plain("key_id", row.keyId),
  worker: cells.plain("worker", row.worker),
  serverId: cells.plain("server_id", row.serverId),
  server: cells.plain("server", row.server),
  tool: cells.plain("tool", row.tool),
  toolDigest: cells.plain("tool_digest", row.toolDigest),
  startedAt: cells.plain("started_at", row.startedAt),
  error: cells.plain("error", row.error),
  requestBytes: cells.plain("request_bytes", row.requestBytes),
  responseBytes: cells.plain("response_bytes", row.responseBytes),
  recorded: cells.plain("recorded", row.recorded),
});

const ended = Table.make<ToolCall.ToolCallRow>("tool_calls", (cells, row) => ({
  ...common(cells, row),
  durationMs: cells.plain("duration_ms", row.durationMs),
  outcome: cells.plain("outcome", row.outcome),
}));

const admitted = Table.make<ToolCall.AdmittedCallRow>("admitted_calls", (cells, row) => ({
  ...common(cells, row),
  durationMs: null,
  outcome: null,
  until: cells.plain("until", row.until),
}));

const filters: Readonly<Record<keyof ToolCallStore.CallQuery, string>> = {
  agentId: "agent_id =",
  serverId: "server_id =",
  runId: "run_id =",
  issueId: "issue_id =",
  tool: "tool =",
  from: "started_at >=",
  to: "started_at <",
};

const where = (query: ToolCallStore.CallQuery): Clause =>
  and(
    (Object.keys(filters) as ReadonlyArray<keyof typeof filters>).flatMap((name) => {
      const value: Cell | undefined = query[name];
      return value === undefined ? [] : [clause`${raw(filters[name])} ${value}`];
    }),
  );

/** Records of tool calls in the current `SqlClient`. */
export const layer: Layer.Layer<ToolCallStore.ToolCallStore, never, SqlClient.SqlClient> =
  Layer.effect(
    ToolCallStore.ToolCallStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const insert = Prepared.upsert(sql, ended, ["id"]);
      const select = Prepared.select(sql, ended);
      const get = Prepared.one(sql, ended, "WHERE id = ?");
      const admit = Prepared.upsert(sql, admitted, ["id"]);
      const selectAdmitted = Prepared.select(sql, admitted);
      const getAdmitted = Prepared.one(sql, admitted, "WHERE id = ?");
      const end = (ids: ReadonlyArray<string>) =>
        Prepared.execute(sql, clause`DELETE FROM admitted_calls WHERE id IN ${list(ids)}`);
      const extend = Prepared.query<readonly [id: string]>(
        sql,
        `UPDATE admitted_calls SET until = ? WHERE id IN (SELECT value FROM json_each(?))
          RETURNING id`,
      );
      return ToolCallStore.ToolCallStore.of({
        admit: (call) => mapped(Effect.asVoid(admit([call]))),
        extend: (ids, until) =>
          mapped(Effect.map(extend(until, JSON.stringify(ids)), (rows) => rows.map(([id]) => id))),
        append: (calls) => mapped(Effect.andThen(insert(calls), end(calls.map(({ id }) => id)))),
        admitted: (query, count) =>
          mapped(selectAdmitted(clause`WHERE ${where(query)} ORDER BY seq DESC ${limit(count)}`)),
        overdue: (now, count) =>
          mapped(
            Locks.passing(sql, (skipping) =>
              selectAdmitted(
                clause`WHERE until <= ${now} ORDER BY until ${limit(count)} ${skipping}`,
              ),
            ),
          ),
        get: (callId) =>
          mapped(
            Effect.flatMap(
              getAdmitted(callId),
              (
                row,
              ): Effect.Effect<
                Option.Option<ToolCall.AdmittedCallRow | ToolCall.ToolCallRow>,
                SqlError.SqlError
              > => (Option.isSome(row) ? Effect.succeed(row) : get(callId)),
            ),
          ),
        list: ({ outcomes, ...query }, slice) =>
          mapped(
            select(clause`WHERE ${beyond(slice)} AND ${where(query)}
              AND ${outcomes === undefined ? always : clause`outcome IN ${list(outcomes)}`}
              ${ordered(slice)}`),
          ),
        countByRun: (runIds, failed) =>
          mapped(
            Effect.map(
              Prepared.run<readonly [runId: string, total: number, failed: number]>(
                sql,
                clause`SELECT run_id, count(*), count(*) FILTER (WHERE outcome IN ${list(failed)}) FROM tool_calls
                  WHERE run_id IN ${list(runIds)} GROUP BY run_id`,
              ),
              (rows) => new Map(rows.map(([runId, total, failed]) => [runId, { total, failed }])),
            ),
          ),
        prune: (before, count) =>
          mapped(
            Prepared.count(
              sql,
              clause`DELETE FROM tool_calls WHERE ${Locks.batch(
                sql,
                "tool_calls",
                "seq",
                clause`WHERE started_at < ${before} ORDER BY started_at ${limit(count)}`,
              )} RETURNING 1`,
            ),
          ),
      });
    }),
  );
