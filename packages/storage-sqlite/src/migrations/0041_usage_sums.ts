import { Effect } from "effect";
import { SqlClient } from "effect/sql";

const sums = [
  "requests",
  "input_tokens",
  "output_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  "reasoning_tokens",
  "cost_micros",
  "requests_without_cost",
];

/** Sums of usage by day and month, and the runs that reported. The model '' stands for all models. */
const statements = [
  `CREATE TABLE usage_sums (
    unit TEXT NOT NULL,
    starts TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    project_id TEXT NOT NULL,
    model TEXT NOT NULL,
    runs INTEGER NOT NULL,
    first_runs INTEGER NOT NULL,
    ${sums.map((sum) => `${sum} INTEGER NOT NULL`).join(",\n    ")},
    PRIMARY KEY (unit, starts, agent_id, project_id, model)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX usage_sums_agent ON usage_sums (agent_id, unit, starts)`,
  `CREATE INDEX usage_sums_project ON usage_sums (project_id, unit, starts)`,
  `CREATE TABLE usage_runs (
    run_id TEXT NOT NULL,
    model TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    project_id TEXT NOT NULL,
    issue_id TEXT NOT NULL,
    first_at TEXT NOT NULL,
    last_at TEXT NOT NULL,
    PRIMARY KEY (run_id, model)
  ) STRICT, WITHOUT ROWID`,
  `INSERT INTO usage_runs
    SELECT run_id, '', agent_id, project_id, issue_id, min(starts_at), max(starts_at)
    FROM usage_hours WHERE counted = 1 GROUP BY run_id
    UNION ALL
    SELECT run_id, model, agent_id, project_id, issue_id, min(starts_at), max(starts_at)
    FROM usage_hours WHERE counted = 1 GROUP BY run_id, model`,
  `CREATE INDEX usage_runs_first ON usage_runs (first_at)`,
  `CREATE INDEX usage_runs_spanning ON usage_runs (last_at, first_at, model, agent_id, project_id)
    WHERE last_at > first_at`,
  `CREATE INDEX usage_runs_issue ON usage_runs (issue_id, first_at, last_at, agent_id, project_id)
    WHERE model = ''`,
  `INSERT INTO usage_sums
    SELECT unit, substr(starts_at, 1, length), usage_runs.agent_id, usage_runs.project_id, usage_runs.model,
      count(DISTINCT usage_runs.run_id),
      count(DISTINCT iif(substr(first_at, 1, length) = substr(starts_at, 1, length), usage_runs.run_id, NULL)),
      ${sums.map((sum) => `CAST(min(total(${sum}), 1e18) AS INTEGER)`).join(", ")}
    FROM (SELECT 'day' AS unit, 10 AS length UNION ALL SELECT 'month', 7)
    CROSS JOIN usage_runs
    JOIN usage_hours ON usage_hours.run_id = usage_runs.run_id
      AND usage_runs.model IN ('', usage_hours.model)
    WHERE counted = 1 GROUP BY 1, 2, 3, 4, 5`,
  `ALTER TABLE runs ADD COLUMN has_usage INTEGER NOT NULL DEFAULT 0`,
  `UPDATE runs SET has_usage = 1 WHERE id IN (SELECT run_id FROM usage_hours)`,
  `CREATE INDEX runs_silent ON runs (started_at, agent_id, project_id, issue_id) WHERE has_usage = 0`,
  `CREATE INDEX runs_silent_issue ON runs (issue_id, started_at, agent_id, project_id)
    WHERE has_usage = 0`,
];

export const usageSums = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
