import { PgClient } from "@effect/sql-pg";
import { assert, it } from "@effect/vitest";
import { Effect, Layer, Redacted } from "effect";
import { Inspection, Storage } from "../src/index.ts";
import { newSchema, options, url, withServer } from "./support/TestStorage.ts";

/** Builds the storage, as a node that starts. Returns why it cannot; undefined if it can. */
const start = (schema: string, migrate?: "auto" | "never") =>
  Effect.scoped(
    Effect.match(Layer.build(Storage.layer({ ...options(schema), migrate })), {
      onFailure: ({ reason }) => reason,
      onSuccess: () => undefined,
    }),
  );

const run = <A>(text: (sql: PgClient.PgClient) => Effect.Effect<A, unknown>) =>
  Effect.flatMap(PgClient.PgClient, text).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })),
  );

withServer(() => {
  it.effect("a node that must not migrate refuses a schema that is missing or older", () =>
    Effect.gen(function* () {
      const schema = yield* newSchema;
      assert.strictEqual(
        yield* start(schema, "never"),
        `The schema ${schema} has no tables. Run quartermaster migrate`,
      );
      assert.isFalse((yield* Inspection.inspect(options(schema))).hasSchema);
      assert.isUndefined(yield* start(schema));
      assert.isUndefined(yield* start(schema, "never"));
      yield* run(
        (sql) => sql`UPDATE ${sql(schema)}.migrations SET name = '0000_of_long_ago_compatible'`,
      );
      assert.strictEqual(
        yield* start(schema, "never"),
        `The schema ${schema} is of an older version (it lacks 0001_initial). Run quartermaster migrate`,
      );
    }).pipe(Effect.scoped),
  );

  it.effect("a node starts on a newer schema only if all newer migrations are compatible", () =>
    Effect.gen(function* () {
      const schema = yield* newSchema;
      assert.isUndefined(yield* start(schema));
      const add = (name: string) =>
        run((sql) => sql`INSERT INTO ${sql(schema)}.migrations (name) VALUES (${name})`);
      yield* add("9998_added_column_compatible");
      assert.isUndefined(yield* start(schema));
      assert.isUndefined(yield* start(schema, "never"));
      yield* add("9999_removed_column");
      const newer = /written by a newer version \(it has 9999_removed_column\)\. Use that version/u;
      assert.match((yield* start(schema)) ?? "", newer);
      assert.match((yield* start(schema, "never")) ?? "", newer);
    }).pipe(Effect.scoped),
  );

  it.effect("functions that turn scans off do not have their plans compiled", () =>
    Effect.gen(function* () {
      const schema = yield* newSchema;
      assert.isUndefined(yield* start(schema));
      const functions = yield* run(
        (sql) => sql<{ readonly settings: string }>`SELECT proconfig::text AS settings FROM pg_proc
          WHERE pronamespace = ${schema}::regnamespace AND proconfig::text LIKE '%enable_%'`,
      );
      assert.isNotEmpty(functions);
      for (const { settings } of functions) assert.include(settings, "jit=off");
    }).pipe(Effect.scoped),
  );
});
