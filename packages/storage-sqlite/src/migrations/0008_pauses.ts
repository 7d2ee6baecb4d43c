import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** How agents and projects are paused, and how an agent sees its tools. */
const statements = [
  `ALTER TABLE agents ADD COLUMN paused INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE agents ADD COLUMN tool_mode TEXT NOT NULL DEFAULT 'direct'`,
  `CREATE TABLE paused_projects (project_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID`,
  `CREATE INDEX runs_project_held ON runs (project_id) WHERE status <> 'ended'`,
];

export const pauses = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
