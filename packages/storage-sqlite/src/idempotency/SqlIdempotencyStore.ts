import { Effect, Layer, Option } from "effect";
import { IdempotencyStore } from "@quartermaster/core";
import { SqlClient } from "effect/sql";
import { mapped } from "../client/StorageErrors.ts";

interface Columns {
  readonly key_id: string;
  readonly idempotency_key: string;
  readonly fingerprint: string;
  readonly status: number;
  readonly resource_id: string;
  readonly created_at: string;
}

const toRow = (columns: Columns): IdempotencyStore.IdempotencyRow => ({
  keyId: columns.key_id,
  idempotencyKey: columns.idempotency_key,
  fingerprint: columns.fingerprint,
  status: columns.status,
  resourceId: columns.resource_id,
  createdAt: columns.created_at,
});

/** Answered requests in the present `SqlClient`. */
export const layer: Layer.Layer<IdempotencyStore.IdempotencyStore, never, SqlClient.SqlClient> =
  Layer.effect(
    IdempotencyStore.IdempotencyStore,
    Effect.map(SqlClient.SqlClient, (sql) =>
      IdempotencyStore.IdempotencyStore.of({
        put: (row) =>
          mapped(
            Effect.asVoid(
              sql`INSERT INTO idempotency ${sql.insert({
                key_id: row.keyId,
                idempotency_key: row.idempotencyKey,
                fingerprint: row.fingerprint,
                status: row.status,
                resource_id: row.resourceId,
                created_at: row.createdAt,
              })}
              ON CONFLICT (key_id, idempotency_key) DO UPDATE SET
                fingerprint = excluded.fingerprint, status = excluded.status,
                resource_id = excluded.resource_id, created_at = excluded.created_at`,
            ),
          ),
        get: (keyId, idempotencyKey) =>
          mapped(
            Effect.map(
              sql<Columns>`SELECT * FROM idempotency
                WHERE key_id = ${keyId} AND idempotency_key = ${idempotencyKey}`,
              ([columns]) => Option.map(Option.fromNullishOr(columns), toRow),
            ),
          ),
        prune: (before, limit) =>
          mapped(
            Effect.map(
              sql`DELETE FROM idempotency WHERE (key_id, idempotency_key) IN (
                SELECT key_id, idempotency_key FROM idempotency WHERE created_at < ${before}
                ORDER BY created_at LIMIT ${limit}
              ) RETURNING 1`,
              (rows) => rows.length,
            ),
          ),
      }),
    ),
  );
