import { Errors } from "@quartermaster/core";
import { Effect } from "effect";
import { Migrator, SqlClient, type SqlError } from "effect/sql";
import * as StorageErrors from "../client/StorageErrors.ts";
import { manifest } from "./manifest.ts";

const table = "migrations";

const refused = (reason: string, cause?: unknown) =>
  new Errors.StorageError({
    reason,
    isRetryable: false,
    ...(cause === undefined ? {} : { cause }),
  });

const recorded: Effect.Effect<
  ReadonlyArray<string>,
  SqlError.SqlError,
  SqlClient.SqlClient
> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient;
  const rows = yield* sql<{ readonly migration_id: number; readonly name: string }>`
      SELECT migration_id, name FROM ${sql(table)} ORDER BY migration_id`;
  return rows.map((row) => `${String(row.migration_id).padStart(4, "0")}_${row.name}`);
});

const check = Effect.fnUntraced(function* (known: ReadonlyArray<string>) {
  const found = yield* recorded;
  if (found.join() === known.join()) return;
  const newer = found.slice(known.length);
  return yield* refused(
    newer.length > 0 && found.slice(0, known.length).join() === known.join()
      ? `The database was written by a newer version (it has ${newer.join(", ")}). Use that version, or restore a backup`
      : `The database's migrations (${found.join(", ")}) are not the migrations of this version (${known.join(", ")})`,
  );
});

/**
 * Migrates the database to this version's schema, or fails if it cannot. It is one transaction: when
 * several processes start at the same time, the first one migrates.
 */
export const run: Effect.Effect<void, Errors.StorageError, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    sql.withTransaction(
      Effect.andThen(
        Migrator.make({})({ loader: Migrator.fromRecord(manifest), table }),
        check(Object.keys(manifest)),
      ),
    ),
).pipe(
  Effect.catchTag("SqlError", (error) => Effect.fail(StorageErrors.fromSqlError(error))),
  Effect.catchTag("MigrationError", (error) => refused(error.message, error.cause)),
);
