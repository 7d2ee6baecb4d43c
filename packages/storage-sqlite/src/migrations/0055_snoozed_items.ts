import { Effect } from "effect";
import { SqlClient } from "effect/sql";

/** Finds the snoozes of an issue that is deleted. */
export const snoozedItems = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql.unsafe(`CREATE INDEX snoozes_item ON snoozes (item_id)`).unprepared,
);
