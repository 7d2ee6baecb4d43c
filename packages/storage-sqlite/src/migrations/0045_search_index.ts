import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** How far the index of words is. It is built again in the background: the service starts immediately. */
const statements = [
  `CREATE TABLE search_index (
    id INTEGER PRIMARY KEY,
    version INTEGER NOT NULL,
    position INTEGER NOT NULL,
    last INTEGER NOT NULL
  ) STRICT`,
  `INSERT INTO search_index (id, version, position, last)
    SELECT 1, 0, 0, seq FROM issues ORDER BY seq DESC LIMIT 1`,
];

export const searchIndex = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
