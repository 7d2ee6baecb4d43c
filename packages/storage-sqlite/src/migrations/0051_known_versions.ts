import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** The newest version of a text that each run knows. */
export const knownVersions = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    sql.unsafe(`ALTER TABLE runs ADD COLUMN version_seq INTEGER NOT NULL DEFAULT 0`).unprepared,
);
