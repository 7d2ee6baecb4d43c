import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** The calls that sent an effect before its last one, and failed. */
export const earlierCalls = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    sql.unsafe(`ALTER TABLE effects ADD COLUMN earlier TEXT NOT NULL DEFAULT '[]'`).unprepared,
);
