import { assert, describe } from "@effect/vitest";
import { CatalogStore } from "@quartermaster/core";
import { Effect, type Layer, Option } from "effect";
import * as Fixtures from "../Fixtures.ts";
import { type Storage, transact } from "../Storage.ts";
import { assertIds, block, ids, type It, texts } from "../Suite.ts";

const { CatalogStore: Entries } = CatalogStore;

export const kept = (it: It<Storage>): void => {
  it.effect("keeps entries in the order of their creation, with all of their texts", () =>
    Effect.gen(function* () {
      const store = yield* Entries;
      assert.deepStrictEqual(yield* store.list, []);
      const first = Fixtures.entry({ id: "b", description: texts.join(" ") });
      const second = Fixtures.entry({ id: "a", source: "own" });
      yield* transact(Effect.andThen(store.put(first), store.put(second)));
      assert.deepStrictEqual(yield* store.list, [first, second]);
      assert.deepStrictEqual(yield* store.get("a"), Option.some(second));
      assert.isTrue(Option.isNone(yield* store.get("none")));
    }),
  );
};

export const changed = (it: It<Storage>): void => {
  it.effect("put replaces an entry at its position, and remove removes it", () =>
    Effect.gen(function* () {
      const store = yield* Entries;
      const entries = ["c", "b", "a"].map((id) => Fixtures.entry({ id }));
      yield* transact(Effect.forEach(entries, store.put));
      const other = Fixtures.entry({ id: "c", name: "Another name" });
      yield* transact(store.put(other));
      const [first] = yield* store.list;
      assert.deepStrictEqual(first, other);
      assertIds(ids(yield* store.list), ["c", "b", "a"]);
      yield* transact(Effect.andThen(store.remove("b"), store.remove("none")));
      assertIds(ids(yield* store.list), ["c", "a"]);
    }),
  );

  it.effect("a change that fails stores nothing", () =>
    Effect.gen(function* () {
      const store = yield* Entries;
      const before = ids(yield* store.list);
      const change = Effect.andThen(store.put(Fixtures.entry({ id: "z" })), Effect.fail("no"));
      yield* Effect.exit(transact(change));
      assertIds(ids(yield* store.list), before);
    }),
  );
};

/** The requirements of every `CatalogStore`. */
export const suite = <E>(name: string, storage: Layer.Layer<Storage, E>): void => {
  describe(`CatalogStore: ${name}`, () => {
    block("rows", storage, kept);
    block("changes", storage, changed);
  });
};
