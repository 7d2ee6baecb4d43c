import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** The tools of a server whose calls are effects, the state after `isError`, and the callers that may settle. */
const statements = [
  `ALTER TABLE mcp_servers ADD COLUMN once TEXT NOT NULL DEFAULT '[]'`,
  `ALTER TABLE mcp_servers ADD COLUMN once_errors TEXT NOT NULL DEFAULT 'retry'`,
  `ALTER TABLE mcp_servers ADD COLUMN settle TEXT NOT NULL DEFAULT 'agent'`,
];

export const once = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
