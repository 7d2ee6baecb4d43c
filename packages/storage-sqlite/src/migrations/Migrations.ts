import { Errors } from "@quartermaster/core";
import { Effect } from "effect";
import { Migrator, SqlClient, type SqlError } from "effect/sql";
import * as StorageErrors from "../client/StorageErrors.ts";
import { manifest } from "./manifest.ts";
import * as Schema from "./Schema.ts";
import { statements } from "./statements.ts";

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

/** A trigger that was added to the file would run with every change. */
const compare = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient;
  const rows = yield* sql.unsafe(Schema.query).values;
  const differences = Schema.differences(rows as ReadonlyArray<Schema.Row>);
  if (differences.length === 0) return;
  return yield* refused(
    `The database's schema is not the schema of this version (${differences.slice(0, 5).join("; ")}). Find out who changed the file, and restore a backup that you trust`,
  );
});

const isTable = (statement: string) => /^CREATE (?:VIRTUAL )?TABLE/.test(statement);

const execute = (texts: ReadonlyArray<string>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.forEach(texts, (text) => sql.unsafe(text).unprepared, { discard: true }),
  );

const record = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`INSERT INTO ${sql(table)} (migration_id, name)
    SELECT CAST(substr(value, 1, 4) AS INTEGER), substr(value, 6)
    FROM json_each(${JSON.stringify(Object.keys(manifest))})`,
);

/**
 * Creates the schema of this version in a new database, and records the migrations as applied: one after the other
 * they take seven times as long.
 */
const create = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient;
  const [found] = yield* sql`SELECT 1 FROM sqlite_schema LIMIT 1`;
  if (found !== undefined) return;
  yield* execute(statements);
  yield* record;
});

/** The first part of a new schema: rows are added faster before the other one. */
export const createTables = execute(statements.filter(isTable));

/** The other part: indexes, triggers, and the record of the migrations. */
export const createRest = Effect.andThen(
  execute(statements.filter((statement) => !isTable(statement))),
  record,
);

/** Applies the migrations that the database lacks. */
export const apply = Migrator.make({})({ loader: Migrator.fromRecord(manifest), table });

/**
 * Migrates the database to this version's schema, or fails if it cannot. It is one transaction: when
 * several processes start at the same time, the first one migrates.
 */
export const run: Effect.Effect<void, Errors.StorageError, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    sql.withTransaction(
      Effect.all([create, apply, check(Object.keys(manifest)), compare], { discard: true }),
    ),
).pipe(
  Effect.catchTag("SqlError", (error) => Effect.fail(StorageErrors.fromSqlError(error))),
  Effect.catchTag("MigrationError", (error) => refused(error.message, error.cause)),
);
