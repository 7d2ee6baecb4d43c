import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** The nodes that run the processes of servers that have one in the whole service. */
const statements = [
  `CREATE TABLE process_leases (
    server_id TEXT PRIMARY KEY,
    node_id TEXT NOT NULL,
    url TEXT,
    expires_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`,
];

export const processLeases = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
