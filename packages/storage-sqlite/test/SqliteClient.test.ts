import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { assert, describe, it } from "@effect/vitest";
import { Transactor } from "@quartermaster/core";
import { Deferred, Effect, Fiber, Layer } from "effect";
import { Reactivity } from "effect/reactivity";
import { SqlClient } from "effect/sql";
import * as SqlTransactor from "../src/client/SqlTransactor.ts";
import { SqliteClient } from "../src/index.ts";
import { tempFolder } from "./support/TestStorage.ts";

const layer = Layer.unwrap(
  Effect.map(tempFolder, (folder) =>
    Layer.provideMerge(
      SqlTransactor.layer,
      SqliteClient.layer({ filename: join(folder, "test.db"), durability: "full" }),
    ),
  ),
);

const withTable = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient;
  yield* sql.withTransaction(sql`CREATE TABLE t (a ANY UNIQUE)`);
  return sql;
});

describe("SqliteClient", () => {
  it.effect("a write outside of a transaction dies, and stores nothing", () =>
    Effect.gen(function* () {
      const sql = yield* withTable;
      for (const write of [
        sql`INSERT INTO t VALUES (1)`,
        sql`DELETE FROM t`,
        sql`CREATE TABLE u (a)`,
      ]) {
        const defect = yield* Effect.catchDefect(write, Effect.succeed);
        assert.match(String(defect), /Call it within `Transactor.transact`/);
      }
      assert.deepStrictEqual(yield* sql`SELECT * FROM t`, []);
    }).pipe(Effect.provide(layer)),
  );

  it.effect("a reader sees committed changes, and does not wait for a transaction", () =>
    Effect.gen(function* () {
      const sql = yield* withTable;
      const gate = yield* Deferred.make<void>();
      const count = Effect.map(sql`SELECT * FROM t`, (rows) => rows.length);
      const writer = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`INSERT INTO t VALUES (1)`;
            assert.strictEqual(yield* count, 1);
            yield* Deferred.await(gate);
          }),
        ),
        { startImmediately: true },
      );
      assert.strictEqual(yield* count, 0);
      yield* Deferred.succeed(gate, undefined);
      yield* Fiber.join(writer);
      assert.strictEqual(yield* count, 1);
    }).pipe(Effect.provide(layer)),
  );

  it.effect("the client stores every kind of value", () =>
    Effect.gen(function* () {
      const sql = yield* withTable;
      const values = [1, -2.5, Number.MAX_SAFE_INTEGER, "a\u0000b", "", null];
      yield* sql.withTransaction(
        Effect.forEach(values, (value) => sql`INSERT INTO t VALUES (${value})`),
      );
      const rows = yield* sql<{ readonly a: unknown }>`SELECT a FROM t ORDER BY rowid`;
      assert.deepStrictEqual(
        rows.map((row) => row.a),
        values,
      );
      const [cells] = yield* sql`SELECT ${true} AS y, ${undefined} AS n`.values;
      assert.deepStrictEqual(cells, [1, null]);
    }).pipe(Effect.provide(layer)),
  );

  it.effect("both connections have their settings", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient;
      const pragma = (name: string) =>
        Effect.map(sql.unsafe(`PRAGMA ${name}`).values, (rows) => rows[0]?.[0]);
      const settings = Effect.all(
        Object.fromEntries(
          ["journal_mode", "foreign_keys", "query_only"].map((name) => [name, pragma(name)]),
        ),
      );
      const common = { journal_mode: "wal", foreign_keys: 1 };
      assert.deepStrictEqual(yield* settings, { ...common, query_only: 1 });
      assert.deepStrictEqual(yield* sql.withTransaction(settings), { ...common, query_only: 0 });
      assert.strictEqual(yield* sql.withTransaction(pragma("synchronous")), 2);
    }).pipe(Effect.provide(layer)),
  );

  it.effect("the client runs more different statements than it caches", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient;
      for (let round = 0; round < 2; round++) {
        for (let n = 0; n < 600; n++) {
          const rows = yield* sql.unsafe<{ readonly n: number }>(`SELECT ${n} AS n`);
          assert.strictEqual(rows[0]?.n, n);
        }
      }
    }).pipe(Effect.provide(layer)),
  );

  it.effect("a violated constraint is not retryable", () =>
    Effect.gen(function* () {
      const sql = yield* withTable;
      const { transact } = yield* Transactor.Transactor;
      const twice = transact(sql`INSERT INTO t VALUES (1), (1)`);
      const error = yield* Effect.flip(twice);
      assert.strictEqual(error._tag, "StorageError");
      assert.strictEqual(error.isRetryable, false);
    }).pipe(Effect.provide(layer)),
  );

  it.effect("a full disk is retryable, and nothing of the change is stored", () =>
    Effect.gen(function* () {
      const sql = yield* withTable;
      const { transact } = yield* Transactor.Transactor;
      const fill = transact(
        Effect.gen(function* () {
          yield* sql`PRAGMA max_page_count = 20`;
          for (let n = 0; n < 100; n++) yield* sql`INSERT INTO t VALUES (${`n${n}`.repeat(2_000)})`;
        }),
      );
      const error = yield* Effect.flip(fill);
      assert.deepInclude(error, { _tag: "StorageError", isRetryable: true });
      assert.strictEqual(error.message, "The disk is full");
      assert.deepStrictEqual(yield* sql`SELECT * FROM t`, []);
      yield* transact(sql`INSERT INTO t VALUES (1)`);
    }).pipe(Effect.provide(layer)),
  );

  it.effect("check writes, so it waits for another process that does", () =>
    Effect.gen(function* () {
      const filename = join(yield* tempFolder, "test.db");
      yield* Effect.gen(function* () {
        const { check } = yield* Transactor.Transactor;
        yield* check;
        const other = new DatabaseSync(filename);
        other.exec("BEGIN IMMEDIATE");
        const checking = yield* Effect.forkChild(check, { startImmediately: true });
        yield* Effect.replicateEffect(Effect.yieldNow, 100);
        assert.isUndefined(checking.pollUnsafe());
        other.exec("ROLLBACK");
        other.close();
        yield* Fiber.join(checking);
      }).pipe(
        Effect.provide(Layer.provideMerge(SqlTransactor.layer, SqliteClient.layer({ filename }))),
      );
    }),
  );

  it.effect("two clients of one file write in turn, even when one is slow", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder;
      const open = SqliteClient.make({ filename: join(folder, "test.db") });
      const [one, other] = yield* Effect.all([open, open]);
      yield* one.withTransaction(one`CREATE TABLE t (a)`);
      yield* Effect.forEach(
        Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? one : other)),
        (sql) =>
          sql.withTransaction(
            Effect.gen(function* () {
              const [row] = yield* sql<{ readonly n: number }>`SELECT count(*) AS n FROM t`;
              yield* Effect.yieldNow;
              yield* sql`INSERT INTO t VALUES (${row?.n})`;
            }),
          ),
        { concurrency: "unbounded" },
      );
      const rows = yield* one<{ readonly n: number }>`SELECT count(DISTINCT a) AS n FROM t`;
      assert.strictEqual(rows[0]?.n, 20);
    }).pipe(Effect.provide(Reactivity.layer)),
  );

  it.effect("reads continue while a transaction waits for another process that writes", () =>
    Effect.gen(function* () {
      const filename = join(yield* tempFolder, "test.db");
      const sql = yield* SqliteClient.make({ filename });
      yield* sql.withTransaction(sql`CREATE TABLE t (a)`);
      const other = new DatabaseSync(filename);
      other.exec("BEGIN IMMEDIATE; INSERT INTO t VALUES ('other')");
      const waiting = yield* Effect.forkChild(
        sql.withTransaction(sql`INSERT INTO t VALUES ('own')`),
        {
          startImmediately: true,
        },
      );
      // If the wait blocked this thread, the transaction would give up within these reads.
      for (let n = 0; n < 3_000; n++) {
        assert.lengthOf(yield* sql`SELECT * FROM t`, 0);
        yield* Effect.yieldNow;
      }
      assert.isUndefined(waiting.pollUnsafe());
      other.exec("COMMIT");
      other.close();
      yield* Fiber.join(waiting);
      assert.deepStrictEqual(yield* sql`SELECT a FROM t`, [{ a: "other" }, { a: "own" }]);
    }).pipe(Effect.provide(Reactivity.layer)),
  );
});
