import { AgentSessionStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import { clause } from "../sql/Clause.ts";
import * as Prepared from "../sql/Prepared.ts";
import { mapped } from "../sql/StorageErrors.ts";

/** Ended MCP sessions in the current `SqlClient`. */
export const layer: Layer.Layer<AgentSessionStore.AgentSessionStore, never, SqlClient.SqlClient> =
  Layer.effect(
    AgentSessionStore.AgentSessionStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const find = Prepared.query(
        sql,
        "SELECT 1 FROM ended_sessions WHERE key_id = ? AND nonce = ?",
      );
      return AgentSessionStore.AgentSessionStore.of({
        end: (keyId, nonce) =>
          mapped(
            Prepared.execute(
              sql,
              clause`INSERT INTO ended_sessions (key_id, nonce) VALUES (${keyId}, ${nonce})
              ON CONFLICT (key_id, nonce) DO NOTHING`,
            ),
          ),
        isEnded: (keyId, nonce) =>
          mapped(Effect.map(find(keyId, nonce), (rows) => rows.length > 0)),
      });
    }),
  );
