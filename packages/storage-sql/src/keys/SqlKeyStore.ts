import { type ApiKey, KeyStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import { among, beyond, clause, ordered } from "../sql/Clause.ts";
import * as Prepared from "../sql/Prepared.ts";
import { mapped } from "../sql/StorageErrors.ts";
import * as Table from "../sql/Table.ts";

const table = Table.make<ApiKey.ApiKeyRow>("api_keys", (cells, row) => ({
  seq: cells.plain("seq", row.seq),
  id: cells.plain("id", row.id),
  name: cells.plain("name", row.name),
  role: cells.plain("role", row.role),
  projects: cells.json("projects", row.projects),
  agentId: cells.plain("agent_id", row.agentId),
  userId: cells.plain("user_id", row.userId),
  secretHash: cells.plain("secret_hash", row.secretHash),
  createdAt: cells.plain("created_at", row.createdAt),
  expiresAt: cells.plain("expires_at", row.expiresAt),
  lastUsedAt: cells.plain("last_used_at", row.lastUsedAt),
}));

/** API keys in the current `SqlClient`. */
export const layer: Layer.Layer<KeyStore.KeyStore, never, SqlClient.SqlClient> = Layer.effect(
  KeyStore.KeyStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const insert = Prepared.insertOne(sql, table);
    const select = Prepared.select(sql, table);
    const get = Prepared.one(sql, table, "WHERE id = ?");
    return KeyStore.KeyStore.of({
      insert: (key) => mapped(insert(key)),
      remove: (keyId) =>
        mapped(
          Effect.all(
            [
              Prepared.execute(sql, clause`DELETE FROM sessions WHERE key_id = ${keyId}`),
              Prepared.execute(sql, clause`DELETE FROM ended_sessions WHERE key_id = ${keyId}`),
              Prepared.execute(sql, clause`DELETE FROM api_keys WHERE id = ${keyId}`),
            ],
            { discard: true },
          ),
        ),
      get: (keyId) => mapped(get(keyId)),
      recent: (keyId) => mapped(get(keyId)),
      list: (roles, slice) =>
        mapped(
          select(clause`WHERE ${among("+role", roles)} AND ${beyond(slice)} ${ordered(slice)}`),
        ),
      owners: (now) =>
        mapped(
          Effect.map(
            Prepared.run<readonly [count: number]>(
              sql,
              clause`SELECT count(*) FROM api_keys
                WHERE role = 'Owner' AND projects IS NULL
                  AND (expires_at IS NULL OR expires_at > ${now})`,
            ),
            ([row]) => row?.[0] ?? 0,
          ),
        ),
      used: (keyId, at) =>
        mapped(
          Prepared.execute(
            sql,
            clause`UPDATE api_keys SET last_used_at = ${at} WHERE id = ${keyId}`,
          ),
        ),
    });
  }),
);
