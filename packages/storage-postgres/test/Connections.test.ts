import { assert, it } from "@effect/vitest";
import { StorageErrors } from "@quartermaster/storage-sql";
import { Effect, Layer } from "effect";
import { SqlClient, type SqlError } from "effect/sql";
import { Connections } from "../src/client/Connections.ts";
import { Inspection, PostgresClient } from "../src/index.ts";
import { emptySchema, options, withServer } from "./support/TestStorage.ts";

const layer = Layer.unwrap(
  Effect.map(
    Effect.tap(emptySchema, (schema) => Inspection.migrate(options(schema))),
    (schema) => PostgresClient.layer(options(schema)),
  ),
);

const insert = "INSERT INTO guards (name) VALUES ($1)";

/** A transaction after these statements. */
const begun = Effect.fnUntraced(function* (...statements: ReadonlyArray<string>) {
  const transaction = yield* (yield* Connections).transaction;
  transaction.begin(statements);
  return transaction;
});

const failed = (effect: Effect.Effect<unknown, SqlError.SqlError>) =>
  Effect.map(Effect.flip(effect), StorageErrors.stateOf);

/** The stored names, without the name that the migrations store. */
const names = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ name: string }>`SELECT name FROM guards WHERE name <> 'check' ORDER BY name`,
).pipe(Effect.map((rows) => rows.map(({ name }) => name)));

withServer(() => {
  it.effect("the failure of a posted statement fails the next one, and the commit", () =>
    Effect.gen(function* () {
      for (const next of ["SELECT 1", "COMMIT"]) {
        yield* Effect.scoped(
          Effect.gen(function* () {
            const transaction = yield* begun("BEGIN");
            yield* transaction.post(insert, ["a"]);
            yield* transaction.post(insert, ["a"]);
            yield* transaction.post(insert, ["b"]);
            if (next !== "COMMIT") {
              assert.strictEqual(yield* failed(transaction.executeValues(next, [])), "23505");
            }
            assert.strictEqual(yield* failed(transaction.commit()), "23505");
          }),
        );
      }
      assert.deepStrictEqual(yield* names, []);
    }).pipe(Effect.provide(layer)),
  );

  it.effect("a rollback to a savepoint undoes the failure of a posted statement", () =>
    Effect.gen(function* () {
      const transaction = yield* begun("BEGIN");
      yield* transaction.post(insert, ["a"]);
      yield* transaction.post("SAVEPOINT s", []);
      yield* transaction.post(insert, ["a"]);
      yield* transaction.rollbackTo("s");
      yield* transaction.post(insert, ["b"]);
      yield* transaction.commit();
      assert.deepStrictEqual(yield* names, ["a", "b"]);
    }).pipe(Effect.scoped, Effect.provide(layer)),
  );

  it.effect("a write is not sent without BEGIN, and a read before it fails with BEGIN", () =>
    Effect.gen(function* () {
      for (const reads of [true, false]) {
        yield* Effect.scoped(
          Effect.gen(function* () {
            const transaction = yield* begun("BEGIN ISOLATION LEVEL NONE");
            if (reads) {
              assert.strictEqual(yield* failed(transaction.executeValues("SELECT 1", [])), "42601");
            }
            assert.strictEqual(yield* failed(transaction.executeValues(insert, ["a"])), "42601");
            assert.strictEqual(yield* failed(transaction.post(insert, ["a"])), "42601");
            assert.strictEqual(yield* failed(transaction.commit()), "42601");
          }),
        );
      }
      assert.deepStrictEqual(yield* names, []);
    }).pipe(Effect.provide(layer)),
  );
});
