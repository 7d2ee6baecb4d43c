import { type ToolCall, ToolCallStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import * as Prepared from "../client/Prepared.ts";
import { mapped } from "../client/StorageErrors.ts";
import { always, beyond, clause, limit, ordered } from "../sql/Clause.ts";
import * as Table from "../sql/Table.ts";

const table = Table.make<ToolCall.ToolCallRow>("tool_calls", (cells, row) => ({
  seq: cells.plain("seq", row.seq),
  id: cells.plain("id", row.id),
  agentId: cells.plain("agent_id", row.agentId),
  serverId: cells.plain("server_id", row.serverId),
  tool: cells.plain("tool", row.tool),
  startedAt: cells.plain("started_at", row.startedAt),
  durationMs: cells.plain("duration_ms", row.durationMs),
  outcome: cells.plain("outcome", row.outcome),
  requestBytes: cells.plain("request_bytes", row.requestBytes),
  responseBytes: cells.plain("response_bytes", row.responseBytes),
}));

/** Records of tool calls in the current `SqlClient`. */
export const layer: Layer.Layer<ToolCallStore.ToolCallStore, never, SqlClient.SqlClient> =
  Layer.effect(
    ToolCallStore.ToolCallStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const insert = Prepared.insert(sql, table);
      const select = Prepared.select(sql, table);
      return ToolCallStore.ToolCallStore.of({
        append: (calls) => mapped(Effect.asVoid(insert(calls))),
        list: ({ agentId, serverId }, slice) =>
          mapped(
            select(clause`WHERE ${beyond(slice)}
              AND ${agentId === undefined ? always : clause`agent_id = ${agentId}`}
              AND ${serverId === undefined ? always : clause`server_id = ${serverId}`}
              ${ordered(slice)}`),
          ),
        prune: (before, count) =>
          mapped(
            Prepared.count(
              sql,
              clause`DELETE FROM tool_calls WHERE seq IN (
                SELECT seq FROM tool_calls WHERE started_at < ${before}
                ORDER BY started_at ${limit(count)}
              ) RETURNING 1`,
            ),
          ),
      });
    }),
  );
