import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** A bearer token ends with the session that it was made for. */
const statements = [
  `ALTER TABLE sessions ADD COLUMN parent TEXT`,
  `CREATE INDEX sessions_parent ON sessions (parent) WHERE parent IS NOT NULL`,
];

export const sessionTokens = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
