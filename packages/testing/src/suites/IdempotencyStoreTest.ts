import { assert, describe } from "@effect/vitest";
import { IdempotencyStore, type Transactor } from "@quartermaster/core";
import { Effect, type Layer, Option } from "effect";
import * as Fixtures from "../Fixtures.ts";
import { transact } from "../Storage.ts";
import { block, type It } from "../Suite.ts";

type Needs = IdempotencyStore.IdempotencyStore | Transactor.Transactor;

const put = (overrides?: Parameters<typeof Fixtures.idempotencyRow>[0]) =>
  Effect.tap(Fixtures.idempotencyRow(overrides), (row) =>
    IdempotencyStore.IdempotencyStore.use((rows) => transact(rows.put(row))),
  );

const get = ({ idempotencyKey, keyId }: IdempotencyStore.IdempotencyRow) =>
  IdempotencyStore.IdempotencyStore.use((rows) => rows.get(keyId, idempotencyKey));

const rows = (it: It<Needs>): void => {
  it.effect("put stores every field, under both keys", () =>
    Effect.gen(function* () {
      const row = yield* put({
        keyId: "key_a",
        fingerprint: "ef".repeat(32),
        status: 204,
        resourceId: "cmt_1",
        createdAt: Fixtures.at(1.5),
      });
      const other = yield* put({ ...row, keyId: "key_b", resourceId: "cmt_2" });
      assert.deepStrictEqual(yield* get(row), Option.some(row));
      assert.deepStrictEqual(yield* get(other), Option.some(other));
      for (const keys of [
        { keyId: "key_c" },
        { keyId: "KEY_A" },
        { idempotencyKey: row.idempotencyKey.toLowerCase() },
        { keyId: row.idempotencyKey, idempotencyKey: row.keyId },
      ]) {
        assert.deepStrictEqual(yield* get({ ...row, ...keys }), Option.none());
      }
    }),
  );

  it.effect("the two parts of the key are not concatenated", () =>
    Effect.gen(function* () {
      const a = yield* put({ keyId: "x", idempotencyKey: "y:z", resourceId: "1" });
      const b = yield* put({ keyId: "x:y", idempotencyKey: "z", resourceId: "2" });
      assert.deepStrictEqual(yield* get(a), Option.some(a));
      assert.deepStrictEqual(yield* get(b), Option.some(b));
    }),
  );

  it.effect("put replaces the row with the same keys", () =>
    Effect.gen(function* () {
      const first = yield* put();
      const second = yield* put({
        ...first,
        fingerprint: "01".repeat(32),
        status: 200,
        resourceId: "iss_2",
        createdAt: Fixtures.at(90_000),
      });
      assert.deepStrictEqual(yield* get(first), Option.some(second));
    }),
  );
};

const prune = (it: It<Needs>): void => {
  it.effect("prune removes at most the given number of rows created before the timestamp", () =>
    Effect.gen(function* () {
      const store = yield* IdempotencyStore.IdempotencyStore;
      const now = Fixtures.at(100);
      const made = yield* Effect.forEach([97, 98, 99.999], (seconds) =>
        put({ createdAt: Fixtures.at(seconds) }),
      );
      const renewed = yield* put({ createdAt: Fixtures.at(1) });
      yield* put({ ...renewed, createdAt: Fixtures.at(200) });
      const exact = yield* put({ createdAt: now });
      assert.strictEqual(yield* transact(store.prune(now, 2)), 2);
      const left = yield* Effect.forEach(made, get);
      assert.lengthOf(left.filter(Option.isSome), 1);
      assert.strictEqual(yield* transact(store.prune(now, 2)), 1);
      assert.strictEqual(yield* transact(store.prune(now, 2)), 0);
      assert.deepStrictEqual(yield* get(exact), Option.some(exact));
      assert.isTrue(Option.isSome(yield* get(renewed)));
    }),
  );
};

/** The requirements of every `IdempotencyStore`. */
export const suite = <E>(name: string, storage: Layer.Layer<Needs, E>): void => {
  describe(`IdempotencyStore: ${name}`, () => {
    block("rows", storage, rows);
    block("prune", storage, prune);
  });
};
