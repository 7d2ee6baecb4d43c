import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** Responses on their way to a run, so that every node waits for their delivery. */
export const deliveringEffects = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql.unsafe(`ALTER TABLE effects ADD COLUMN delivering TEXT`).unprepared,
);
