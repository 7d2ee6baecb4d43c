import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** Writes of a session need a second secret. Older sessions have none, so people sign in again. */
const statements = [
  `ALTER TABLE sessions ADD COLUMN secret_hash TEXT`,
  `DELETE FROM sessions WHERE kind <> 'signIn'`,
];

export const sessionSecrets = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
