import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** Attempts, deferral, and why an issue is paused; `paused_because` replaces `paused`. */
const statements = [
  `ALTER TABLE issues ADD COLUMN paused_because TEXT`,
  `ALTER TABLE issues ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE issues ADD COLUMN not_before TEXT`,
  `UPDATE issues SET paused_because = 'unknown' WHERE paused = 1`,
  `DROP INDEX issues_claimable`,
  `ALTER TABLE issues DROP COLUMN paused`,
  `CREATE INDEX issues_claimable ON issues (assigned_agent_id, resumed DESC, priority)
    WHERE assigned_agent_id IS NOT NULL AND status IN ('Open', 'InProgress')
      AND paused_because IS NULL`,
  `ALTER TABLE runs ADD COLUMN attempt INTEGER NOT NULL DEFAULT 1`,
];

export const attempts = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
