import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** Questions to people. */
const statements = [
  `CREATE TABLE questions (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    issue_id TEXT NOT NULL,
    project_id TEXT NOT NULL,
    run_id TEXT,
    asked_by_type TEXT NOT NULL,
    asked_by_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    prompt TEXT NOT NULL,
    options TEXT,
    blocking INTEGER NOT NULL,
    status TEXT NOT NULL,
    answer TEXT,
    answered_by TEXT,
    created_at TEXT NOT NULL,
    expires_at TEXT,
    answered_at TEXT,
    on_expiry TEXT NOT NULL,
    asker_key TEXT
  ) STRICT`,
  `CREATE INDEX questions_issue ON questions (issue_id, seq)`,
  `CREATE INDEX questions_open ON questions (issue_id) WHERE status = 'open'`,
  `CREATE INDEX questions_due ON questions (expires_at)
    WHERE status = 'open' AND expires_at IS NOT NULL`,
];

export const questions = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
