import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** When a run was last resumed after a crash of its process. */
export const resumedRuns = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql.unsafe(`ALTER TABLE runs ADD COLUMN resumed_at TEXT`).unprepared,
);
