import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** Instructions of servers: what was accepted, and what the next connection tells. */
export const instructions = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    sql.unsafe(
      `ALTER TABLE mcp_servers ADD COLUMN instructions TEXT NOT NULL
        DEFAULT '{"accepted":null,"current":null}'`,
    ).unprepared,
);
