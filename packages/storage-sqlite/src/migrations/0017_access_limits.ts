import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** Whether a grant allows only tools that read, and how many calls it allows; null for no limit. */
const statements = [
  `ALTER TABLE mcp_access ADD COLUMN read_only INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE mcp_access ADD COLUMN calls_per_minute INTEGER`,
  `ALTER TABLE mcp_access ADD COLUMN max_concurrent_calls INTEGER`,
];

export const accessLimits = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
