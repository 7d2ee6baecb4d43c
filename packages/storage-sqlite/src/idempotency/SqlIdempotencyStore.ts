import { IdempotencyStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import * as Prepared from "../client/Prepared.ts";
import { mapped } from "../client/StorageErrors.ts";
import { clause, limit } from "../sql/Clause.ts";
import * as Table from "../sql/Table.ts";

const table = Table.make<IdempotencyStore.IdempotencyRow>("idempotency", (cells, row) => ({
  keyId: cells.plain("key_id", row.keyId),
  idempotencyKey: cells.plain("idempotency_key", row.idempotencyKey),
  fingerprint: cells.plain("fingerprint", row.fingerprint),
  status: cells.plain("status", row.status),
  resourceId: cells.plain("resource_id", row.resourceId),
  createdAt: cells.plain("created_at", row.createdAt),
}));

/** Responses by idempotency key, in the current `SqlClient`. */
export const layer: Layer.Layer<IdempotencyStore.IdempotencyStore, never, SqlClient.SqlClient> =
  Layer.effect(
    IdempotencyStore.IdempotencyStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const put = Prepared.upsert(sql, table, ["key_id", "idempotency_key"]);
      const get = Prepared.one(sql, table, "WHERE key_id = ? AND idempotency_key = ?");
      return IdempotencyStore.IdempotencyStore.of({
        put: (row) => mapped(Effect.asVoid(put([row]))),
        get: (keyId, idempotencyKey) => mapped(get(keyId, idempotencyKey)),
        prune: (before, count) =>
          mapped(
            Prepared.count(
              sql,
              clause`DELETE FROM idempotency WHERE (key_id, idempotency_key) IN (
                SELECT key_id, idempotency_key FROM idempotency WHERE created_at < ${before}
                ORDER BY created_at ${limit(count)}
              ) RETURNING 1`,
            ),
          ),
      });
    }),
  );
