import { type Session, SessionStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import { always, clause, limit, raw } from "../sql/Clause.ts";
import * as Locks from "../sql/Locks.ts";
import * as Prepared from "../sql/Prepared.ts";
import { mapped } from "../sql/StorageErrors.ts";
import * as Table from "../sql/Table.ts";

const table = Table.make<Session.SessionRow>("sessions", (cells, row) => ({
  hash: cells.plain("hash", row.hash),
  kind: cells.plain("kind", row.kind),
  keyId: cells.plain("key_id", row.keyId),
  createdAt: cells.plain("created_at", row.createdAt),
  expiresAt: cells.plain("expires_at", row.expiresAt),
  endsAt: cells.plain("ends_at", row.endsAt),
  parent: cells.plain("parent", row.parent),
  secretHash: cells.plain("secret_hash", row.secretHash),
}));

/** Sessions in the current `SqlClient`. */
export const layer: Layer.Layer<SessionStore.SessionStore, never, SqlClient.SqlClient> =
  Layer.effect(
    SessionStore.SessionStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const insert = Prepared.insert(sql, table);
      const select = Prepared.select(sql, table);
      const get = Prepared.one(sql, table, "WHERE hash = ?");
      const count = (where: ReturnType<typeof clause>) =>
        mapped(
          Effect.map(
            Prepared.run<readonly [count: number]>(
              sql,
              clause`SELECT count(*) FROM sessions WHERE ${where}`,
            ),
            ([row]) => row?.[0] ?? 0,
          ),
        );
      return SessionStore.SessionStore.of({
        insert: (session) => mapped(Effect.asVoid(insert([session]))),
        get: (hash) => mapped(get(hash)),
        count: (keyId, now) =>
          count(clause`key_id = ${keyId} AND kind = 'cookie' AND expires_at > ${now}`),
        countTokens: (hash, now) => count(clause`parent = ${hash} AND expires_at > ${now}`),
        list: (keyId, now, { after, limit: count, order }) => {
          const direction = raw(order);
          const beyond = raw(order === "asc" ? ">" : "<");
          return mapped(
            select(clause`WHERE kind = 'cookie' AND expires_at > ${now}
              AND ${keyId === null ? always : clause`key_id = ${keyId}`}
              AND ${after === null ? always : clause`(expires_at, hash) ${beyond} (${after.expiresAt}, ${after.hash})`}
              ORDER BY expires_at ${direction}, hash ${direction} ${limit(count)}`),
          );
        },
        slide: (hash, expiresAt) =>
          mapped(
            Prepared.execute(
              sql,
              clause`UPDATE sessions SET expires_at = ${expiresAt} WHERE hash = ${hash}`,
            ),
          ),
        remove: (hash) =>
          mapped(
            Prepared.execute(
              sql,
              clause`DELETE FROM sessions WHERE hash = ${hash} OR parent = ${hash}`,
            ),
          ),
        prune: (before, count) =>
          mapped(
            Prepared.count(
              sql,
              clause`DELETE FROM sessions WHERE ${Locks.batch(
                sql,
                "sessions",
                "hash",
                clause`WHERE expires_at < ${before} ORDER BY expires_at ${limit(count)}`,
              )} RETURNING 1`,
            ),
          ),
      });
    }),
  );
