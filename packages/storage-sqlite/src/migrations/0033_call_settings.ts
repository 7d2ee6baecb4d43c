import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** What requests to a server and the records of its calls contain. */
const statements = [
  `ALTER TABLE mcp_servers ADD COLUMN send_context INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE mcp_servers ADD COLUMN record_calls TEXT NOT NULL DEFAULT 'errors'`,
  `UPDATE mcp_servers SET send_context = 1 WHERE entry ->> '$.transport' = 'stdio'`,
];

export const callSettings = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
