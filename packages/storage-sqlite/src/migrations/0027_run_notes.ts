import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** What agents say while they work, the process that works, and how a run was handed in. */
const statements = [
  `ALTER TABLE runs ADD COLUMN note TEXT`,
  `ALTER TABLE runs ADD COLUMN process TEXT`,
  `ALTER TABLE runs ADD COLUMN exit_code INTEGER`,
  `ALTER TABLE runs ADD COLUMN comment_id TEXT`,
  `CREATE INDEX runs_project ON runs (project_id, seq)`,
  `CREATE TABLE run_notes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL,
    issue_id TEXT NOT NULL,
    note TEXT NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX run_notes_run ON run_notes (run_id)`,
  `CREATE INDEX run_notes_issue ON run_notes (issue_id)`,
];

export const runNotes = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
