import { Effect, Layer, Option } from "effect";
import { type ApiKey, KeyStore, type Role } from "@quartermaster/core";
import { SqlClient } from "effect/sql";
import * as Batch from "../sql/Batch.ts";
import * as Keyset from "../sql/Keyset.ts";
import * as Prepared from "../client/Prepared.ts";
import { mapped } from "../client/StorageErrors.ts";

/** The columns, in the order of `all`. */
type Columns = readonly [
  seq: number,
  id: string,
  name: string,
  role: Role.Role,
  projects: string | null,
  agentId: string | null,
  userId: string | null,
  secretHash: string,
  createdAt: string,
  expiresAt: string | null,
  lastUsedAt: string | null,
];

const all = `seq, id, name, role, projects, agent_id, user_id, secret_hash, created_at, expires_at,
  last_used_at`;

const toRow = (columns: Columns): ApiKey.ApiKeyRow => ({
  seq: columns[0],
  id: columns[1],
  name: columns[2],
  role: columns[3],
  projects: columns[4] === null ? null : (JSON.parse(columns[4]) as Array<string>),
  agentId: columns[5],
  userId: columns[6],
  secretHash: columns[7],
  createdAt: columns[8],
  expiresAt: columns[9],
  lastUsedAt: columns[10],
});

const insert = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  key: Omit<ApiKey.ApiKeyRow, "seq">,
) {
  const rows = yield* sql<{ readonly seq: number }>`INSERT INTO api_keys ${sql.insert({
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
  Effect.map(SqlClient.SqlClient, (sql) => {
    const get = Prepared.query<Columns>(sql, `SELECT ${all} FROM api_keys WHERE id = ?`);
    return KeyStore.KeyStore.of({
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
          Effect.map(get(keyId), ([columns]) =>
            columns === undefined ? Option.none() : Option.some(toRow(columns)),
          ),
        ),
      list: (roles, slice) =>
        mapped(
          Effect.map(
            sql`SELECT ${sql.literal(all)} FROM api_keys
              WHERE +role IN ${Batch.list(sql, roles)} AND ${Keyset.beyond(sql, slice)}
              ${Keyset.ordered(sql, slice)}`.values,
            (rows) => (rows as ReadonlyArray<Columns>).map(toRow),
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
    });
  }),
);
