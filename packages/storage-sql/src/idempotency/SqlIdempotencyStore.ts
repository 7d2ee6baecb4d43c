import { IdempotencyStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import { clause, limit } from "../sql/Clause.ts";
import * as Locks from "../sql/Locks.ts";
import * as Prepared from "../sql/Prepared.ts";
import { mapped } from "../sql/StorageErrors.ts";
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
              clause`DELETE FROM idempotency WHERE ${Locks.batch(
                sql,
                "idempotency",
                "key_id, idempotency_key",
                clause`WHERE created_at < ${before} ORDER BY created_at ${limit(count)}`,
              )} RETURNING 1`,
            ),
          ),
      });
    }),
  );
