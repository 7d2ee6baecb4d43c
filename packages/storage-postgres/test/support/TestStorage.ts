import { PgClient } from "@effect/sql-pg";
import { describe, inject } from "@effect/vitest";
import type { Errors } from "@quartermaster/core";
import { Effect, Layer, Redacted } from "effect";
import type { SqlClient, SqlError } from "effect/sql";
import { Migrations, PostgresClient, Storage } from "../../src/index.ts";
import { statements } from "../../src/migrations/statements.ts";
import "./cluster.setup.ts";

/** The address of the server; empty where none can be started. */
export const url = inject("postgres");

/** Describes tests that are skipped without a server. */
export const withServer = (tests: () => void): void => {
  describe.skipIf(url === "")("with a server", () => {
    tests();
  });
};

let schemas = 0;

/** The id of a process may be used again. */
const nextName = () => `test_${process.pid}_${performance.now().toFixed(0)}_${++schemas}`;

/** Runs one statement on a connection of its own. */
const once = (statement: string) =>
  PgClient.PgClient.use((sql) => sql.unsafe(statement).unprepared).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })),
    Effect.orDie,
  );

/** The name of a new schema, which is dropped with the scope. */
export const newSchema = Effect.acquireRelease(Effect.sync(nextName), (schema) =>
  once(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`),
);

/** Removes what tests have stored: a schema is then as after its migrations. */
const emptied = (schema: string) => `DO $do$ DECLARE name text; BEGIN
  SET LOCAL search_path = "${schema}";
  SET LOCAL session_replication_role = replica; -- without triggers
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = '${schema}' AND tablename <> 'migrations' LOOP
    EXECUTE format('DELETE FROM "${schema}".%I', name);
  END LOOP;
  FOR name IN SELECT sequencename FROM pg_sequences WHERE schemaname = '${schema}' LOOP
    PERFORM setval(format('"${schema}".%I', name), 1, false);
  END LOOP;
  ${statements.filter((text) => text.startsWith("INSERT")).join(";\n")};
END $do$`;

/** Schemas that no test uses. */
const free: Array<string> = [];

/**
 * The name of a schema without rows. The scope empties it for the next test, which takes 10 ms; to migrate
 * another and drop it takes 220 ms.
 */
export const emptySchema = Effect.acquireRelease(
  Effect.sync(() => free.pop() ?? nextName()),
  (schema) =>
    Effect.andThen(
      once(emptied(schema)),
      Effect.sync(() => free.push(schema)),
    ),
);

export const options = (schema: string): Storage.Options => ({
  url: Redacted.make(url),
  schema,
});

/** Storage in a separate schema. */
export const layerOf = (
  isolation?: Storage.Options["isolation"],
): Layer.Layer<Storage.Ports, Errors.StorageError> =>
  Layer.unwrap(
    Effect.map(emptySchema, (schema) => Storage.layer({ ...options(schema), isolation })),
  );

export const layer = layerOf();

/** A client of the driver without limits: its statements may take any time. */
const layerDriver = (schema: string) =>
  PgClient.layer({
    url: Redacted.make(url),
    maxConnections: 1,
    startupParameters: { search_path: `"${schema}", pg_catalog` },
  });

/** Storage in a separate schema with its client, after these statements. */
export const layerFilled = (
  statements: ReadonlyArray<string>,
  s3?: Storage.Options["s3"],
): Layer.Layer<Storage.Ports | SqlClient.SqlClient, Errors.StorageError | SqlError.SqlError> =>
  Layer.unwrap(
    Effect.map(newSchema, (schema) => {
      const filled = Effect.gen(function* () {
        yield* Migrations.run(schema);
        const sql = yield* PgClient.PgClient;
        for (const statement of statements) yield* sql.unsafe(statement);
      }).pipe(Effect.provide(layerDriver(schema)));
      return Storage.layerStores({ schema, s3 }).pipe(
        Layer.provideMerge(
          Layer.provideMerge(Layer.effectDiscard(filled), PostgresClient.layer(options(schema))),
        ),
      );
    }),
  );
