import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** The largest result of a server's calls, in bytes, and how long its unused connections stay open. */
const statements = [
  `ALTER TABLE mcp_servers ADD COLUMN max_result_bytes INTEGER NOT NULL DEFAULT 4194304`,
  `ALTER TABLE mcp_servers ADD COLUMN idle_seconds INTEGER NOT NULL DEFAULT 300`,
];

export const serverLimits = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
