import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** Agents whose runner starts no issues for now, which the inbox lists. */
const statements = [
  `ALTER TABLE agents ADD COLUMN halted TEXT`,
  `CREATE INDEX agents_halted ON agents (id) WHERE halted IS NOT NULL`,
];

export const haltedRunners = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
