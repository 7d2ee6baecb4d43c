import type { PgConnection } from "@effect/sql-pg";
import { assert, it } from "@effect/vitest";
import { IssueStore } from "@quartermaster/core";
import { StorageErrors } from "@quartermaster/storage-sql";
import { Context, Effect, Fiber, Layer, Option } from "effect";
import { SqlClient, type SqlError } from "effect/sql";
import { Connections, Transaction } from "../src/client/Connections.ts";
import { Inspection, PostgresClient, Storage } from "../src/index.ts";
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

/** A connection that notes the texts of its statements. */
const noting = (connection: PgConnection.PgConnection, texts: Array<string>) => ({
  ...connection,
  queryValues: (text: string, params?: ReadonlyArray<unknown>, prepare?: boolean) =>
    Effect.suspend(() => {
      texts.push(text);
      return connection.queryValues(text, params, prepare);
    }),
  query: (text: string, params?: ReadonlyArray<unknown>, prepare?: boolean) =>
    Effect.suspend(() => {
      texts.push(text);
      return connection.query(text, params, prepare);
    }),
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

  it.effect("posted writes of several tables are one statement before the next other one", () =>
    Effect.gen(function* () {
      const texts: Array<string> = [];
      const { connection } = yield* (yield* Connections).transaction;
      const transaction = new Transaction(noting(connection, texts));
      transaction.begin(["BEGIN"]);
      yield* transaction.executeValues("SELECT 1", []);
      yield* transaction.post(insert, ["a"]);
      yield* transaction.post("UPDATE issue_guards SET n = $2 WHERE name = $1", ["a", 2]);
      yield* transaction.post(insert, ["b"]);
      yield* transaction.post("SAVEPOINT s", []);
      yield* transaction.post(insert, ["c"]);
      yield* transaction.rollbackTo("s");
      yield* transaction.post(insert, ["d"]);
      const [[count] = []] = yield* transaction.executeValues("SELECT count(*) FROM guards", []);
      assert.strictEqual(count, 4);
      yield* transaction.commit();
      assert.deepStrictEqual(texts, [
        "BEGIN",
        "SELECT 1",
        `WITH w0 AS (${insert}) UPDATE issue_guards SET n = $3 WHERE name = $2`,
        insert,
        "SAVEPOINT s",
        "ROLLBACK TO SAVEPOINT s",
        insert,
        "SELECT count(*) FROM guards",
        "COMMIT",
      ]);
      assert.deepStrictEqual(yield* names, ["a", "b", "d"]);
    }).pipe(Effect.scoped, Effect.provide(layer)),
  );

  it.live("the interruption of a lookup waits for its end, and its connection remains usable", () =>
    Effect.gen(function* () {
      const schema = yield* emptySchema;
      const node = Layer.build(Storage.layer({ ...options(schema), pool: 2 }));
      const issues = Context.get(yield* node, IssueStore.IssueStore);
      const locking = yield* Layer.build(PostgresClient.layer(options(schema)));
      const connection = yield* Context.get(locking, SqlClient.SqlClient).reserve;
      const run = (text: string) => connection.executeUnprepared(text, [], undefined);
      for (const _ of [1, 2, 3]) {
        yield* run("BEGIN");
        yield* run("LOCK TABLE issues");
        const waiting = yield* Effect.forkChild(issues.get("iss_1"), { startImmediately: true });
        yield* Effect.sleep("50 millis");
        const interrupting = yield* Effect.forkChild(Fiber.interrupt(waiting));
        yield* Effect.sleep("50 millis");
        assert.isUndefined(interrupting.pollUnsafe());
        yield* run("ROLLBACK");
        yield* Fiber.join(interrupting);
        assert.isTrue(Option.isNone(yield* issues.get("iss_1")));
      }
    }).pipe(Effect.scoped),
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
