import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** Tools of servers that are withheld: because of their definition (`problem`), or by an Admin. */
const statements = [
  `ALTER TABLE mcp_tools ADD COLUMN problem TEXT`,
  `ALTER TABLE mcp_tools ADD COLUMN blocked INTEGER NOT NULL DEFAULT 0`,
];

export const toolStates = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
