import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** What hosts add to issues: labels, metadata, and the id in another system. */
const statements = [
  `ALTER TABLE issues ADD COLUMN labels TEXT NOT NULL DEFAULT '[]'`,
  `ALTER TABLE issues ADD COLUMN metadata TEXT NOT NULL DEFAULT '{}'`,
  `ALTER TABLE issues ADD COLUMN external_ref TEXT`,
  `CREATE UNIQUE INDEX issues_external_ref ON issues (external_ref, project_id)
    WHERE external_ref IS NOT NULL`,
];

export const labels = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
