import { StorageErrors } from "@quartermaster/storage-sql";
import { Effect, type Scope } from "effect";
import { SqlClient, type SqlError } from "effect/sql";

/**
 * The lock of backups in the database. While a backup holds it, no node removes objects from the
 * bucket that the backup may still read.
 */

const key = "hashtextextended('quartermaster backup ' || current_schema(), 0)";

/** Holds the lock until the scope closes, after other backups. It has to be held before the backup sees its state of the database. */
export const hold: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient | Scope.Scope> =
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient;
    const connection = yield* sql.reserve;
    yield* Effect.acquireRelease(
      connection.executeValues(`SELECT pg_advisory_lock(${key})`, []),
      () => Effect.ignore(connection.executeValues(`SELECT pg_advisory_unlock(${key})`, [])),
    );
  });

export const isHeld = (sql: SqlClient.SqlClient) =>
  Effect.map(
    StorageErrors.mapped(
      sql.unsafe<{ readonly free: number }>(
        `SELECT pg_try_advisory_xact_lock_shared(${key}) AS free`,
      ),
    ),
    ([row]) => row?.free !== 1,
  );
