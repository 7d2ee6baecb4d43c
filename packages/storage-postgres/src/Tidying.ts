import { Clause, Locks, Prepared, UsageSums } from "@quartermaster/storage-sql";
import { Effect, Layer } from "effect";
import { SqlClient, type SqlError } from "effect/sql";
import { pause } from "./client/Pause.ts";

/**
 * Adds up the differences of counts and sums. A change appends a difference, because two changes that
 * wrote one row would run again. Every node does it, and passes over rows that another adds up.
 */

const everyMillis = 5_000;
const rows = 5_000;

const foldCounts = (sql: SqlClient.SqlClient) => Clause.clause`WITH taken AS (
    DELETE FROM issue_counts
    WHERE ${Locks.batch(sql, "issue_counts", "", Clause.limit(rows))}
    RETURNING project_id, status, count
  )
  INSERT INTO issue_counts (project_id, status, count)
  SELECT project_id, status, sum(count) FROM taken GROUP BY project_id, status
  HAVING sum(count) <> 0`;

/** Moves the differences that wait. */
const foldUsage = (sql: SqlClient.SqlClient): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(Prepared.alone(sql, UsageSums.fold(sql, rows)), ([counts]) =>
    Number(counts?.[0]) < rows ? Effect.void : foldUsage(sql),
  );

export const once: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => Effect.andThen(Prepared.alone(sql, foldCounts(sql)), foldUsage(sql)),
);

/** Runs as long as the storage. */
export const layer: Layer.Layer<never, never, SqlClient.SqlClient> = Layer.effectDiscard(
  Effect.forkScoped(
    Effect.forever(Effect.andThen(pause(everyMillis), Effect.ignore(once, { log: "Debug" }))),
  ),
);
