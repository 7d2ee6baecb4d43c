import { Errors } from "@quartermaster/core";
import { StorageErrors } from "@quartermaster/storage-sql";
import { Effect } from "effect";
import { SqlClient, type SqlError } from "effect/sql";
import { statements } from "./statements.ts";

/**
 * The migrations by name, oldest first. The statements of each run once, in one transaction with all
 * that are missing.
 *
 * A name that ends in `_compatible` does not stop older versions, so that nodes are replaced one after
 * the other.
 */
const migrations: ReadonlyArray<readonly [name: string, statements: ReadonlyArray<string>]> = [
  ["0001_initial", statements],
];

/** The oldest version of PostgreSQL that the tests cover. */
const oldestServer = 15;

/** The migrations of a schema, by name. */
export interface State {
  readonly hasSchema: boolean;
  readonly applied: ReadonlyArray<string>;
  /** Migrations of this version that the schema does not have. */
  readonly missing: ReadonlyArray<string>;
  /** Migrations of newer versions that stop this one. */
  readonly unknown: ReadonlyArray<string>;
}

const refused = (reason: string) => new Errors.StorageError({ reason, isRetryable: false });

type Read<A> = Effect.Effect<A, SqlError.SqlError, SqlClient.SqlClient>;

const tableExists = (schema: string): Read<boolean> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient;
    const rows = yield* sql`SELECT 1 FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = ${schema} AND c.relname = 'migrations'`;
    return rows.length > 0;
  });

const read = (schema: string): Read<State> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient;
    const found = yield* sql`SELECT 1 FROM pg_namespace WHERE nspname = ${schema}`;
    const rows = (yield* tableExists(schema))
      ? yield* sql<{ readonly name: string }>`
          SELECT name FROM ${sql(schema)}.migrations ORDER BY name`
      : [];
    const applied = rows.map(({ name }) => name);
    return {
      hasSchema: found.length > 0,
      applied,
      missing: migrations.map(([name]) => name).filter((name) => !applied.includes(name)),
      unknown: applied.filter(
        (name) => !migrations.some(([known]) => known === name) && !name.endsWith("_compatible"),
      ),
    };
  });

/** Reads the migrations of the schema. It takes no lock. */
export const state = (
  schema: string,
): Effect.Effect<State, Errors.StorageError, SqlClient.SqlClient> =>
  StorageErrors.mapped(read(schema));

const requireServer: Effect.Effect<
  void,
  SqlError.SqlError | Errors.StorageError,
  SqlClient.SqlClient
> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient;
  const [row] = yield* sql<{ readonly version: string }>`
    SELECT current_setting('server_version') AS version`;
  const version = row?.version ?? "";
  if (Number.parseInt(version, 10) >= oldestServer) return;
  return yield* refused(
    `The database is PostgreSQL ${version}. Use version ${oldestServer} or newer`,
  );
});

/**
 * A pooler may ignore the search path that the client sends. Tables would get into another schema, and
 * functions of `pg_catalog` would hide functions of the schema.
 */
const requireSearchPath = (
  schema: string,
): Effect.Effect<void, SqlError.SqlError | Errors.StorageError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient;
    const [row] = yield* sql<{ readonly path: string; readonly role: string }>`
      SELECT (current_schemas(true))[1] AS path, current_user AS role`;
    if (row?.path === schema) return;
    return yield* refused(
      `The connections do not use the schema ${schema}, because a pooler ignores their search_path. Run: ALTER ROLE ${row?.role} SET search_path = ${schema}, pg_catalog`,
    );
  });

const refuseNewer = (unknown: ReadonlyArray<string>) =>
  unknown.length === 0
    ? Effect.void
    : refused(
        `The database was written by a newer version (it has ${unknown.join(", ")}). Use that version, or restore a backup`,
      );

/** Whether a move into the schema has started and not finished. */
export const isMoving: Effect.Effect<boolean, SqlError.SqlError, SqlClient.SqlClient> =
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql`SELECT 1 FROM moves WHERE finished = 0`, (rows) => rows.length > 0),
  );

const refuseMoving = (schema: string) =>
  Effect.flatMap(isMoving, (moving) =>
    moving
      ? refused(
          `A service was not completely moved to the schema ${schema}. Run the same ` +
            "`quartermaster migrate --from` or `quartermaster restore` again: it continues",
        )
      : Effect.void,
  );

/** Fails unless the schema has every migration of this version. It changes nothing and takes no lock. */
export const check = (
  schema: string,
): Effect.Effect<void, Errors.StorageError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    yield* requireServer;
    const { applied, missing, unknown } = yield* read(schema);
    yield* refuseNewer(unknown);
    if (missing.length === 0) {
      yield* requireSearchPath(schema);
      return yield* refuseMoving(schema);
    }
    return yield* refused(
      applied.length === 0
        ? `The schema ${schema} has no tables. Run quartermaster migrate`
        : `The schema ${schema} is of an older version (it lacks ${missing.join(", ")}). Run quartermaster migrate`,
    );
  }).pipe(StorageErrors.mappedAmong);

/** A role's limits are for requests. These apply until the end of the transaction. */
export const withoutLimits: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> =
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`SELECT set_config(name, '0', true) FROM pg_settings WHERE name IN
      ('lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`,
  ).pipe(Effect.asVoid);

/**
 * Migrates the schema to this version, or fails if it cannot, and runs `then` in the same transaction.
 * When several processes do it at the same time, the first one migrates and the others wait. The
 * transaction is `READ COMMITTED`, so that the reads after the wait see what was migrated.
 */
export const runThen = <A, E>(
  schema: string,
  then: (
    missing: ReadonlyArray<string>,
  ) => Effect.Effect<A, E | SqlError.SqlError, SqlClient.SqlClient>,
): Effect.Effect<A, Errors.StorageError | Exclude<E, SqlError.SqlError>, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient;
    const name = sql(schema);
    yield* requireServer;
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* withoutLimits;
        yield* sql`SELECT pg_advisory_xact_lock(hashtextextended(${`quartermaster ${schema}`}, 0))`;
        const { hasSchema, missing, unknown } = yield* read(schema);
        yield* refuseNewer(unknown);
        // IF NOT EXISTS needs the right to create schemas even if the schema exists.
        if (!hasSchema) yield* sql`CREATE SCHEMA ${name}`;
        yield* requireSearchPath(schema);
        if (!(yield* tableExists(schema))) {
          yield* sql`CREATE TABLE ${name}.migrations (
            name text COLLATE "C" PRIMARY KEY, created_at timestamptz NOT NULL DEFAULT now())`;
        }
        for (const [migration, texts] of migrations) {
          if (!missing.includes(migration)) continue;
          for (const text of texts) yield* sql.unsafe(text).unprepared;
          yield* sql`INSERT INTO ${name}.migrations (name) VALUES (${migration})`;
        }
        return yield* then(missing);
      }),
    );
  }).pipe(StorageErrors.mappedAmong);

/**
 * Migrates the schema to this version, or fails if it cannot. Returns the names of the migrations
 * that it ran.
 */
export const run = (
  schema: string,
): Effect.Effect<ReadonlyArray<string>, Errors.StorageError, SqlClient.SqlClient> =>
  runThen(schema, (missing) => Effect.as(refuseMoving(schema), missing));
