import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** How long calls of a server may take: without progress (null: the default), and in all. */
const statements = [
  `ALTER TABLE mcp_servers ADD COLUMN call_timeout_seconds INTEGER`,
  `ALTER TABLE mcp_servers ADD COLUMN call_max_seconds INTEGER NOT NULL DEFAULT 3600`,
];

export const callTimes = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
