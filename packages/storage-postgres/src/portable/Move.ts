import type { Errors } from "@quartermaster/core";
import { Portable, SearchFill, StorageErrors } from "@quartermaster/storage-sql";
import { Effect, type Scope } from "effect";
import { SqlClient, type SqlError } from "effect/sql";
import * as PostgresClient from "../client/PostgresClient.ts";
import * as Migrations from "../migrations/Migrations.ts";
import * as Storage from "../Storage.ts";
import * as Attachments from "./Attachments.ts";
import { Digest } from "./Digest.ts";
import { digestOf, equal, type Moved, Refused, type Source } from "./Sides.ts";

/**
 * Moves a whole service from another engine to an empty schema.
 *
 * States of the schema
 * - empty: no row in any table.
 * - moving: `moves` names the source, and reports the tables that have the count and the digest of the
 *   source. The rows of a table are added in the order of its key, so a move that was interrupted continues
 *   after the last one. `moves` also has the statements for indexes and foreign keys, which are not there.
 * - verified: all tables are reported, and the schema is complete. Sealed values may be under an older key.
 * - finished: sealed values are under the newest key. No server starts on the schema before.
 */

export type { Moved, Source } from "./Sides.ts";
export { Refused } from "./Sides.ts";

interface Options<E, E2> {
  readonly database: PostgresClient.Options;
  readonly source: Source<E>;
  /** Receives each table when it is moved and verified, or was before. */
  readonly onTable: (moved: Moved) => Effect.Effect<void>;
  /** Whether the service that was moved has a master key that servers on the schema do not have. */
  readonly hasFormerKey: boolean;
  /** Seals the values of the schema under the newest key. */
  readonly reseal: Effect.Effect<void, E2, Storage.Ports>;
}

type Sql = SqlClient.SqlClient;

/** The tables that a move fills. */
const names = [
  ...Portable.tables.map(({ name }) => name),
  Attachments.table.name,
  "issue_text",
  "chapter_text",
];

/**
 * Locks the schema until the scope ends; after a crash, until the server notices that the session is gone. The end of
 * the scope unlocks it, since the next move may start before the server notices the closed connection.
 */
const lock = Effect.fnUntraced(function* (
  schema: string,
): Effect.fn.Return<void, Refused | SqlError.SqlError, Sql | Scope.Scope> {
  const sql = yield* SqlClient.SqlClient;
  const connection = yield* sql.reserve;
  const name = [`quartermaster move ${schema}`];
  const isLocked = yield* Effect.acquireRelease(
    Effect.map(
      connection.executeValues("SELECT pg_try_advisory_lock(hashtextextended($1, 0))", name),
      ([row]) => row?.[0] === 1,
    ),
    (isLocked) =>
      isLocked
        ? Effect.ignore(
            connection.executeValues("SELECT pg_advisory_unlock(hashtextextended($1, 0))", name),
          )
        : Effect.void,
  );
  if (isLocked) return;
  return yield* new Refused({ message: `Another move to the schema ${schema} is running.` });
});

interface State {
  readonly source: string;
  readonly deferred: string | null;
  readonly report: string;
  readonly finished: number;
}

/** Indexes that are not unique, and foreign keys: rows are added many times as fast without them. */
const deferrable = (sql: Sql, schema: string) =>
  sql<{ readonly make: string; readonly drop: string }>`
    SELECT pg_get_indexdef(i.indexrelid) AS make, format('DROP INDEX %I', c.relname) AS drop
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE NOT i.indisunique AND c.relnamespace = to_regnamespace(quote_ident(${schema}))
    UNION ALL
    SELECT format('ALTER TABLE %I ADD CONSTRAINT %I %s', c.relname, k.conname, pg_get_constraintdef(k.oid)),
      format('ALTER TABLE %I DROP CONSTRAINT %I', c.relname, k.conname)
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
    WHERE k.contype = 'f' AND c.relnamespace = to_regnamespace(quote_ident(${schema}))`;

const start = Effect.fnUntraced(function* (schema: string, source: string) {
  const sql = yield* SqlClient.SqlClient;
  for (const name of names) {
    if ((yield* sql`SELECT 1 FROM ${sql(name)} LIMIT 1`).length === 0) continue;
    return yield* new Refused({
      message:
        `The schema ${schema} has a service: its table ${name} is not empty. Name another schema, or ` +
        "drop this one.",
    });
  }
  const deferred = yield* deferrable(sql, schema);
  for (const { drop } of deferred) yield* sql.unsafe(drop).unprepared;
  const makes = JSON.stringify(deferred.map(({ make }) => make));
  yield* sql`INSERT INTO moves (source, deferred, report) VALUES (${source}, ${makes}, '[]')`;
  return { source, deferred: makes, report: "[]", finished: 0 };
});

/** Migrates the schema, and starts or continues the move of the source. */
const begin = (schema: string, source: string) =>
  Migrations.runThen(schema, () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient;
      // Waits for the last statement of a move that was killed.
      yield* sql.unsafe(`LOCK TABLE ${names.join(", ")} IN SHARE MODE`).unprepared;
      const [state] = yield* sql<State>`SELECT source, deferred, report, finished FROM moves`;
      if (state === undefined) return yield* start(schema, source);
      if (state.source === source) return state;
      return yield* new Refused({
        message:
          state.finished === 1
            ? `The schema ${schema} has a service that was moved from another source, or from this one before it changed. Name another schema, or drop this one.`
            : `The schema ${schema} has an unfinished move of another source, or of this one before it changed. Drop the schema, and move again.`,
      });
    }),
  );

const moveTable = Effect.fnUntraced(function* (from: Sql, to: Sql, table: Portable.Table) {
  const columns = yield* Portable.columnsOf(from, table);
  const given = new Digest();
  yield* Portable.copy(from, to, table, columns, given.add);
  return yield* equal(table.name, given, yield* digestOf(to, table, columns));
});

/** Moves the tables that are not reported. Returns the whole report. */
const moveTables = Effect.fnUntraced(function* <E, E2>(
  { onTable, source }: Options<E, E2>,
  reported: ReadonlyArray<Moved>,
) {
  const sql = yield* SqlClient.SqlClient;
  const report: Array<Moved> = [];
  const steps = [
    ...Portable.tables.map((table) => [table.name, moveTable(source.sql, sql, table)] as const),
    [Attachments.table.name, Attachments.move(sql, source)] as const,
  ];
  for (const [name, step] of steps) {
    const known = reported.find(({ table }) => table === name);
    const moved = known ?? (yield* step);
    report.push(moved);
    if (known === undefined) yield* sql`UPDATE moves SET report = ${JSON.stringify(report)}`;
    yield* onTable(moved);
  }
  return report;
});

/** Creates indexes and foreign keys. */
const complete = Effect.fnUntraced(function* (source: Sql, statements: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient;
  yield* SearchFill.run(source, sql);
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* Migrations.withoutLimits;
      yield* sql`SET LOCAL maintenance_work_mem = '256MB'`.unprepared;
      yield* Portable.continueNumbers(source, sql);
      for (const statement of statements) yield* sql.unsafe(statement).unprepared;
      yield* sql.unsafe(`ANALYZE ${names.join(", ")}`).unprepared;
      yield* sql`UPDATE moves SET deferred = NULL`;
    }),
  );
});

/** Moves the source, continues an earlier move of it, or does nothing if it is moved. */
export const run = <E, E2>(
  options: Options<E, E2>,
): Effect.Effect<ReadonlyArray<Moved>, E | E2 | Refused | Errors.StorageError> =>
  Effect.gen(function* () {
    const { database, hasFormerKey, reseal, source } = options;
    const sql = yield* SqlClient.SqlClient;
    const schema = PostgresClient.schemaOf(database);
    yield* lock(schema);
    const { deferred, finished, report } = yield* begin(schema, source.id);
    const moved = yield* moveTables(options, JSON.parse(report));
    if (deferred !== null) yield* complete(source.sql, JSON.parse(deferred));
    if (finished === 1) return moved;
    yield* Effect.provide(reseal, Storage.layerStores(database));
    if (hasFormerKey) yield* sql`UPDATE idempotency SET fingerprint = ''`;
    yield* sql`UPDATE moves SET finished = 1`;
    return moved;
  }).pipe(
    Effect.scoped,
    Effect.provide(PostgresClient.layer({ ...options.database, pool: 2, hasSlowStatements: true })),
    StorageErrors.mappedAmong,
  );
