import { CallBodyStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import { clause, limit, raw } from "../sql/Clause.ts";
import * as Dialect from "../sql/Dialect.ts";
import * as Locks from "../sql/Locks.ts";
import * as Prepared from "../sql/Prepared.ts";
import { mapped } from "../sql/StorageErrors.ts";
import * as Table from "../sql/Table.ts";

const bodies = Table.make<CallBodyStore.CallBody>("call_bodies", (cells, row) => ({
  callId: cells.plain("call_id", row.callId),
  serverId: cells.plain("server_id", row.serverId),
  issueId: cells.plain("issue_id", row.issueId),
  endedAt: cells.plain("ended_at", row.endedAt),
  bytes: cells.plain("bytes", row.bytes),
  keyId: cells.plain("key_id", row.keyId),
  nonce: cells.plain("nonce", row.nonce),
  sealed: cells.plain("sealed", row.sealed),
}));

/** The arguments and results of calls in the current `SqlClient`. */
export const layer: Layer.Layer<CallBodyStore.CallBodyStore, never, SqlClient.SqlClient> =
  Layer.effect(
    CallBodyStore.CallBodyStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const put = Prepared.query(
        sql,
        `INSERT INTO call_bodies (${bodies.columns.join(", ")})
          SELECT ${bodies.columns.map(() => "?").join(", ")}
          WHERE EXISTS (SELECT 1 FROM mcp_servers WHERE id = ?)
            AND (CAST(? AS TEXT) IS NULL OR EXISTS (SELECT 1 FROM issues WHERE id = ?))
          ON CONFLICT (call_id) DO UPDATE SET ${bodies.columns
            .filter((column) => column !== "call_id")
            .map((column) => `${column} = excluded.${column}`)
            .join(", ")}`,
      );
      const select = Prepared.select(sql, bodies);
      const get = Prepared.one(sql, bodies, "WHERE call_id = ?");
      return CallBodyStore.CallBodyStore.of({
        put: (rows) =>
          mapped(
            Effect.forEach(
              rows,
              (row) => put(...bodies.toCells(row), row.serverId, row.issueId, row.issueId),
              { discard: true },
            ),
          ),
        get: (callId) => mapped(get(callId)),
        totalBytes: mapped(
          Effect.map(
            Prepared.run<readonly [bytes: number | null]>(
              sql,
              clause`SELECT sum(bytes) FROM call_bodies`,
            ),
            ([row]) => row?.[0] ?? 0,
          ),
        ),
        removeOfServer: (serverId, count) =>
          mapped(
            Prepared.count(
              sql,
              clause`DELETE FROM call_bodies WHERE ${Locks.batch(
                sql,
                "call_bodies",
                "call_id",
                clause`WHERE server_id = ${serverId} ${limit(count)}`,
              )} RETURNING 1`,
            ),
          ),
        prune: (before, count) =>
          mapped(
            Prepared.count(
              sql,
              clause`DELETE FROM call_bodies WHERE ${Locks.batch(
                sql,
                "call_bodies",
                "call_id",
                clause`WHERE ended_at < ${before} ORDER BY ended_at, call_id ${limit(count)}`,
              )} RETURNING 1`,
            ),
          ),
        removeOldest: (bytes, count) =>
          mapped(
            Effect.map(
              Prepared.run<readonly [bytes: number]>(
                sql,
                clause`DELETE FROM call_bodies WHERE call_id ${Locks.within(
                  sql,
                  clause`SELECT call_id FROM (
                    SELECT call_id, sum(bytes) OVER (ORDER BY ended_at, call_id) - bytes AS older
                    FROM (
                      SELECT ended_at, call_id, bytes FROM call_bodies
                      ORDER BY ended_at, call_id ${limit(count)} ${raw(Dialect.skipping(sql))}
                    ) AS part
                  ) AS part WHERE older < ${bytes}`,
                )} RETURNING bytes`,
              ),
              (removed) => removed.reduce((sum, [size]) => sum + size, 0),
            ),
          ),
        notUnder: (keyId, after, count) =>
          mapped(
            select(clause`WHERE (key_id, call_id) > (${after?.keyId ?? ""}, ${after?.callId ?? ""})
              AND key_id <> ${keyId} ORDER BY key_id, call_id ${limit(count)}`),
          ),
      });
    }),
  );
