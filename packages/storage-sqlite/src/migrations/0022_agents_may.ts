import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** How agents hand in, of projects where it is not the default, and the runs of an issue. */
const statements = [
  `CREATE TABLE project_settings (
    project_id TEXT PRIMARY KEY,
    agents_may TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX runs_issue ON runs (issue_id, agent_id)`,
];

export const agentsMay = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
