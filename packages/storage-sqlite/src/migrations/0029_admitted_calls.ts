import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/**
 * Calls that were admitted and have not ended, in a table of their own: it has as many rows as calls are
 * in flight, so that a call costs few pages before it is sent. Records have the run of their call.
 */
const statements = [
  `CREATE TABLE admitted_calls (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    agent_id TEXT NOT NULL,
    run_id TEXT,
    issue_id TEXT,
    project_id TEXT,
    key_id TEXT,
    worker TEXT,
    server_id TEXT,
    server TEXT,
    tool TEXT NOT NULL,
    tool_digest TEXT,
    started_at TEXT NOT NULL,
    error TEXT,
    request_bytes INTEGER NOT NULL,
    response_bytes INTEGER NOT NULL,
    recorded TEXT NOT NULL,
    until TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX admitted_calls_issue ON admitted_calls (issue_id)`,
  ...["run_id", "issue_id", "project_id", "key_id", "worker", "server", "tool_digest", "error"].map(
    (column) => `ALTER TABLE tool_calls ADD COLUMN ${column} TEXT`,
  ),
  `ALTER TABLE tool_calls ADD COLUMN recorded TEXT NOT NULL DEFAULT 'none'`,
  `CREATE INDEX tool_calls_run ON tool_calls (run_id) WHERE run_id IS NOT NULL`,
  `CREATE INDEX tool_calls_issue ON tool_calls (issue_id) WHERE issue_id IS NOT NULL`,
];

export const admittedCalls = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
