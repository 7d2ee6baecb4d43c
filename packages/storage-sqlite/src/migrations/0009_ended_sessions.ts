import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** The MCP sessions that agents ended. Removed with their key. */
const statements = [
  `CREATE TABLE ended_sessions (
    key_id TEXT NOT NULL,
    nonce TEXT NOT NULL,
    PRIMARY KEY (key_id, nonce)
  ) STRICT, WITHOUT ROWID`,
];

export const endedSessions = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
