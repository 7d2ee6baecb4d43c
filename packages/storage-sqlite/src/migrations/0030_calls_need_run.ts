import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** Agents that call tools only for a live run. */
const statements = [`ALTER TABLE agents ADD COLUMN calls_need_run INTEGER NOT NULL DEFAULT 0`];

export const callsNeedRun = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }),
);
