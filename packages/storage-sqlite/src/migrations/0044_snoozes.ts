import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** Items of the inbox that a principal does not see for a time. */
const statements = [
  `CREATE TABLE snoozes (
    principal TEXT NOT NULL,
    kind TEXT NOT NULL,
    item_id TEXT NOT NULL,
    since TEXT NOT NULL,
    until TEXT NOT NULL,
    PRIMARY KEY (principal, kind, item_id)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX snoozes_until ON snoozes (until)`,
];

export const snoozes = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
