import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** Runs that agents hold by their calls over MCP, and the issues of an agent in all projects. */
const statements = [
  `ALTER TABLE runs ADD COLUMN worker TEXT`,
  `CREATE INDEX issues_of_agent ON issues (assigned_agent_id, seq)
    WHERE assigned_agent_id IS NOT NULL`,
  `CREATE INDEX runs_worker ON runs (worker, agent_id) WHERE worker IS NOT NULL`,
];

export const workers = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
