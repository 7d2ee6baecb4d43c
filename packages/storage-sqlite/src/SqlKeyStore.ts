import { Effect, Layer, Option } from "effect";
import { type ApiKey, KeyStore, type Role } from "@quartermaster/core";
import { SqlClient } from "effect/sql";
import * as Batch from "./Batch.ts";
import * as Keyset from "./Keyset.ts";
import { mapped } from "./StorageErrors.ts";

interface Columns {
  readonly seq: number;
  readonly id: string;
  readonly name: string;
  readonly role: Role.Role;
  readonly projects: string | null;
  readonly agent_id: string | null;
  readonly user_id: string | null;
  readonly secret_hash: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
}

const toRow = (columns: Columns): ApiKey.ApiKeyRow => ({
  seq: columns.seq,
  id: columns.id,
  name: columns.name,
  role: columns.role,
  projects: columns.projects === null ? null : (JSON.parse(columns.projects) as Array<string>),
  agentId: columns.agent_id,
  userId: columns.user_id,
  secretHash: columns.secret_hash,
  createdAt: columns.created_at,
  expiresAt: columns.expires_at,
  lastUsedAt: columns.last_used_at,
});

const insert = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  key: Omit<ApiKey.ApiKeyRow, "seq">,
) {
  const rows = yield* sql<Columns>`INSERT INTO api_keys ${sql.insert({
    id: key.id,
    name: key.name,
    role: key.role,
    projects: key.projects === null ? null : JSON.stringify(key.projects),
    agent_id: key.agentId,
    user_id: key.userId,
    secret_hash: key.secretHash,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    last_used_at: key.lastUsedAt,
  })} RETURNING seq`;
  return { ...key, seq: rows[0]?.seq ?? 0 };
});

/** API keys in the present `SqlClient`. */
export const layer: Layer.Layer<KeyStore.KeyStore, never, SqlClient.SqlClient> = Layer.effect(
  KeyStore.KeyStore,
  Effect.map(SqlClient.SqlClient, (sql) =>
    KeyStore.KeyStore.of({
      insert: (key) => mapped(insert(sql, key)),
      remove: (keyId) =>
        mapped(
          Effect.asVoid(
            Effect.andThen(
              sql`DELETE FROM sessions WHERE key_id = ${keyId}`,
              sql`DELETE FROM api_keys WHERE id = ${keyId}`,
            ),
          ),
        ),
      get: (keyId) =>
        mapped(
          Effect.map(sql<Columns>`SELECT * FROM api_keys WHERE id = ${keyId}`, ([columns]) =>
            Option.map(Option.fromNullishOr(columns), toRow),
          ),
        ),
      list: (roles, slice) =>
        mapped(
          Effect.map(
            sql<Columns>`SELECT * FROM api_keys
              WHERE +role IN ${Batch.list(sql, roles)} AND ${Keyset.beyond(sql, slice)}
              ${Keyset.ordered(sql, slice)}`,
            (rows) => rows.map(toRow),
          ),
        ),
      owners: (now) =>
        mapped(
          Effect.map(
            sql<{ readonly n: number }>`SELECT count(*) AS n FROM api_keys
              WHERE role = 'Owner' AND projects IS NULL
                AND (expires_at IS NULL OR expires_at > ${now})`,
            ([row]) => row?.n ?? 0,
          ),
        ),
      used: (keyId, at) =>
        mapped(Effect.asVoid(sql`UPDATE api_keys SET last_used_at = ${at} WHERE id = ${keyId}`)),
    }),
  ),
);
