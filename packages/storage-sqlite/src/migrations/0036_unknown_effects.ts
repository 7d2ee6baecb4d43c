import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** Effects that wait for a settlement, for the inbox. */
export const unknownEffects = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    sql.unsafe(`CREATE INDEX effects_unknown ON effects (call_id) WHERE state = 'unknown'`)
      .unprepared,
);
