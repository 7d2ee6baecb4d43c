import { Effect, Layer } from "effect";
import { type ToolCall, ToolCallStore } from "@quartermaster/core";
import { SqlClient } from "effect/sql";
import * as Batch from "../sql/Batch.ts";
import * as Keyset from "../sql/Keyset.ts";
import { mapped } from "../client/StorageErrors.ts";

interface Columns {
  readonly seq: number;
  readonly id: string;
  readonly agent_id: string;
  readonly server_id: string | null;
  readonly tool: string;
  readonly started_at: string;
  readonly duration_ms: number;
  readonly outcome: ToolCall.CallOutcome;
  readonly request_bytes: number;
  readonly response_bytes: number;
}

const toRow = (columns: Columns): ToolCall.ToolCallRow => ({
  seq: columns.seq,
  id: columns.id,
  agentId: columns.agent_id,
  serverId: columns.server_id,
  tool: columns.tool,
  startedAt: columns.started_at,
  durationMs: columns.duration_ms,
  outcome: columns.outcome,
  requestBytes: columns.request_bytes,
  responseBytes: columns.response_bytes,
});

const toColumns = (call: ToolCall.ToolCall) => ({
  id: call.id,
  agent_id: call.agentId,
  server_id: call.serverId,
  tool: call.tool,
  started_at: call.startedAt,
  duration_ms: call.durationMs,
  outcome: call.outcome,
  request_bytes: call.requestBytes,
  response_bytes: call.responseBytes,
});

const append = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  calls: ReadonlyArray<ToolCall.ToolCall>,
) {
  for (const chunk of Batch.chunks(calls)) {
    yield* sql`${Batch.insert("tool_calls", chunk.map(toColumns))}`;
  }
});

/** The records of tool calls in the present `SqlClient`. */
export const layer: Layer.Layer<ToolCallStore.ToolCallStore, never, SqlClient.SqlClient> =
  Layer.effect(
    ToolCallStore.ToolCallStore,
    Effect.map(SqlClient.SqlClient, (sql) =>
      ToolCallStore.ToolCallStore.of({
        append: (calls) => mapped(append(sql, calls)),
        list: ({ agentId, serverId }, slice) =>
          mapped(
            Effect.map(
              sql<Columns>`SELECT * FROM tool_calls WHERE ${Keyset.beyond(sql, slice)}
                AND ${agentId === undefined ? sql`1 = 1` : sql`agent_id = ${agentId}`}
                AND ${serverId === undefined ? sql`1 = 1` : sql`server_id = ${serverId}`}
                ${Keyset.ordered(sql, slice)}`,
              (rows) => rows.map(toRow),
            ),
          ),
        prune: (before, limit) =>
          mapped(
            Effect.map(
              sql`DELETE FROM tool_calls WHERE seq IN (
                SELECT seq FROM tool_calls WHERE started_at < ${before}
                ORDER BY started_at LIMIT ${limit}
              ) RETURNING 1`,
              (rows) => rows.length,
            ),
          ),
      }),
    ),
  );
