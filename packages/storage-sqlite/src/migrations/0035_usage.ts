import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** Reported usage: the keys of reports, the totals of sessions, and sums by the hour. */
const statements = [
  `CREATE TABLE usage_reports (
    run_id TEXT NOT NULL,
    key TEXT NOT NULL,
    report TEXT NOT NULL,
    PRIMARY KEY (run_id, key)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE usage_sessions (
    agent_id TEXT NOT NULL,
    session TEXT NOT NULL,
    source INTEGER NOT NULL,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    totals TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (agent_id, session, source, provider, model)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX usage_sessions_updated ON usage_sessions (updated_at)`,
  `CREATE TABLE usage_hours (
    run_id TEXT NOT NULL,
    source INTEGER NOT NULL,
    starts_at TEXT NOT NULL,
    model TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    project_id TEXT NOT NULL,
    issue_id TEXT NOT NULL,
    requests INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    reasoning_tokens INTEGER NOT NULL,
    cost_micros INTEGER NOT NULL,
    requests_without_cost INTEGER NOT NULL,
    counted INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (run_id, source, starts_at, model)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX usage_hours_starts ON usage_hours (starts_at)`,
  `CREATE INDEX usage_hours_agent ON usage_hours (agent_id, starts_at)`,
  `CREATE INDEX usage_hours_project ON usage_hours (project_id, starts_at)`,
  `CREATE INDEX usage_hours_issue ON usage_hours (issue_id)`,
  `CREATE INDEX runs_started ON runs (started_at)`,
];

export const usage = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
