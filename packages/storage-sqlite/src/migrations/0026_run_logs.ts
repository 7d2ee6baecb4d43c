import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/**
 * The logs of runs: the state of each log, and its entries in chunks, one for each request. The key that
 * started a run may write to its log.
 */
const statements = [
  `ALTER TABLE runs ADD COLUMN key_id TEXT`,
  `CREATE TABLE run_logs (
    run_id TEXT PRIMARY KEY,
    issue_id TEXT NOT NULL,
    entries INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    dropped INTEGER NOT NULL,
    opening INTEGER NOT NULL,
    updated_at TEXT NOT NULL,
    writers TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX run_logs_bytes ON run_logs (bytes)`,
  `CREATE INDEX run_logs_issue ON run_logs (issue_id)`,
  `CREATE INDEX run_logs_updated ON run_logs (updated_at)`,
  `CREATE TABLE run_log_chunks (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL,
    writer TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    number INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    lines TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX run_log_chunks_run ON run_log_chunks (run_id, last, first, bytes)`,
  `CREATE INDEX run_log_chunks_writer ON run_log_chunks (run_id, writer, number)`,
];

export const runLogs = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
