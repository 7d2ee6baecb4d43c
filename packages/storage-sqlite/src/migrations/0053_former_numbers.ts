import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** The numbers that issues had in projects that they left: their earlier keys. */
const statements = [
  `CREATE TABLE former_numbers (
    project_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    issue_id TEXT NOT NULL REFERENCES issues (id),
    PRIMARY KEY (project_id, number)
  ) STRICT, WITHOUT ROWID`,
  `CREATE UNIQUE INDEX former_numbers_issue ON former_numbers (issue_id, project_id)`,
];

export const formerNumbers = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
