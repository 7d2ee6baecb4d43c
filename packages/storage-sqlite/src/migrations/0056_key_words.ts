import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** Indexes all issues again in the background: the index of words has their numbers. */
export const keyWords = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    sql.unsafe(`INSERT INTO search_index (id, version, position, last)
      SELECT 1, 1, 0, seq FROM issues WHERE true ORDER BY seq DESC LIMIT 1
      ON CONFLICT (id) DO UPDATE SET position = 0, last = excluded.last`).unprepared,
);
