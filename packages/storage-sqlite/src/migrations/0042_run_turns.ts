import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** Turns that had a note or returned comments. */
const statements = [
  `CREATE TABLE run_turns (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL,
    issue_id TEXT NOT NULL,
    comment_ids TEXT NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX run_turns_run ON run_turns (run_id)`,
  `CREATE INDEX run_turns_issue ON run_turns (issue_id)`,
];

export const runTurns = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
