import { Effect, Layer, Option } from "effect";
import { type Session, SessionStore } from "@quartermaster/core";
import { SqlClient } from "effect/sql";
import { mapped } from "../client/StorageErrors.ts";

interface Columns {
  readonly hash: string;
  readonly kind: Session.SessionRow["kind"];
  readonly key_id: string;
  readonly created_at: string;
  readonly expires_at: string;
  readonly ends_at: string;
  readonly parent: string | null;
}

const toRow = (columns: Columns): Session.SessionRow => ({
  hash: columns.hash,
  kind: columns.kind,
  keyId: columns.key_id,
  createdAt: columns.created_at,
  expiresAt: columns.expires_at,
  endsAt: columns.ends_at,
  parent: columns.parent,
});

/** Sessions in the present `SqlClient`. */
export const layer: Layer.Layer<SessionStore.SessionStore, never, SqlClient.SqlClient> =
  Layer.effect(
    SessionStore.SessionStore,
    Effect.map(SqlClient.SqlClient, (sql) =>
      SessionStore.SessionStore.of({
        insert: (session) =>
          mapped(
            Effect.asVoid(
              sql`INSERT INTO sessions ${sql.insert({
                hash: session.hash,
                kind: session.kind,
                key_id: session.keyId,
                created_at: session.createdAt,
                expires_at: session.expiresAt,
                ends_at: session.endsAt,
                parent: session.parent,
              })}`,
            ),
          ),
        get: (hash) =>
          mapped(
            Effect.map(sql<Columns>`SELECT * FROM sessions WHERE hash = ${hash}`, ([columns]) =>
              Option.map(Option.fromNullishOr(columns), toRow),
            ),
          ),
        slide: (hash, expiresAt) =>
          mapped(
            Effect.asVoid(sql`UPDATE sessions SET expires_at = ${expiresAt} WHERE hash = ${hash}`),
          ),
        remove: (hash) =>
          mapped(Effect.asVoid(sql`DELETE FROM sessions WHERE hash = ${hash} OR parent = ${hash}`)),
        prune: (before, limit) =>
          mapped(
            Effect.map(
              sql`DELETE FROM sessions WHERE hash IN (
                SELECT hash FROM sessions WHERE expires_at < ${before}
                ORDER BY expires_at LIMIT ${limit}
              ) RETURNING 1`,
              (rows) => rows.length,
            ),
          ),
      }),
    ),
  );
