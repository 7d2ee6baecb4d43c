import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** What a worker knows of the end of its run, and runs whose session was deleted. */
const statements = [
  `ALTER TABLE runs ADD COLUMN acknowledged_at TEXT`,
  `ALTER TABLE runs ADD COLUMN fence_lifted INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE runs ADD COLUMN release_at TEXT`,
];

export const workerFence = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
