import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** Agents by their last heartbeat: the inbox looks at the agents that fell silent last. */
const statements = [`CREATE INDEX agents_heartbeat ON agents (last_heartbeat_at)`];

export const silentAgents = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
