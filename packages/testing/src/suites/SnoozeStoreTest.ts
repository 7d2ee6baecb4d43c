import { assert, describe } from "@effect/vitest";
import { SnoozeStore } from "@quartermaster/core";
import { Effect, type Layer } from "effect";
import * as Fixtures from "../Fixtures.ts";
import { type Storage, transact } from "../Storage.ts";
import { block, type It } from "../Suite.ts";

export const tests = (it: It<Storage>): void => {
  it.effect("a snooze is the principal's, is replaced by the next, and lasts until its time", () =>
    Effect.gen(function* () {
      const store = yield* SnoozeStore.SnoozeStore;
      const ada = `User ${yield* Fixtures.id("user")}`;
      const eve = `User ${yield* Fixtures.id("user")}`;
      const snooze = (
        principal: string,
        itemId: string,
        until: number,
        kind: SnoozeStore.Snooze["kind"] = "review",
      ): SnoozeStore.Snooze => ({
        principal,
        kind,
        itemId,
        since: Fixtures.at(1),
        until: Fixtures.at(until),
      });
      const listed = (principal: string, now = 0) =>
        Effect.map(store.list(principal, Fixtures.at(now)), (found) =>
          found.map(({ itemId, kind, until }) => `${kind} ${itemId} ${until}`).toSorted(),
        );
      const shown = (...snoozes: ReadonlyArray<SnoozeStore.Snooze>) =>
        snoozes.map(({ itemId, kind, until }) => `${kind} ${itemId} ${until}`);

      const replaced = snooze(ada, "iss_a", 20);
      const failed = snooze(ada, "iss_a", 10, "failed");
      const other = snooze(eve, "iss_a", 30);
      const all = [snooze(ada, "iss_a", 10), failed, other, replaced];
      yield* transact(Effect.forEach(all, store.put));
      assert.deepStrictEqual(yield* listed(ada), shown(failed, replaced));
      assert.deepStrictEqual(yield* listed(eve), shown(other));
      assert.deepStrictEqual(yield* listed(ada, 10), shown(replaced));

      yield* transact(store.remove(replaced));
      assert.deepStrictEqual(yield* listed(ada), shown(failed));
      assert.deepStrictEqual(yield* listed(eve), shown(other));
    }),
  );

  it.effect("prune removes what is over, at most as many as asked for", () =>
    Effect.gen(function* () {
      const store = yield* SnoozeStore.SnoozeStore;
      const principal = `User ${yield* Fixtures.id("user")}`;
      const kind = "question";
      // Earlier than the snoozes of other tests, which share the table.
      const until = (seconds: number) => Fixtures.at(seconds - 10_000);
      for (const [itemId, seconds] of [
        ["qst_a", 1],
        ["qst_b", 2],
        ["qst_c", 3],
        ["qst_d", 4],
      ] as const) {
        const row = { principal, kind, itemId, since: until(0), until: until(seconds) } as const;
        yield* transact(store.put(row));
      }
      const left = Effect.map(store.list(principal, until(0)), (found) =>
        found.map(({ itemId }) => itemId).toSorted(),
      );
      assert.strictEqual(yield* transact(store.prune(until(3), 2)), 2);
      assert.lengthOf(yield* left, 2);
      assert.strictEqual(yield* transact(store.prune(until(3), 2)), 1);
      assert.strictEqual(yield* transact(store.prune(until(3), 2)), 0);
      assert.deepStrictEqual(yield* left, ["qst_d"]);
    }),
  );
};

/** The requirements of every `SnoozeStore`. */
export const suite = <E>(name: string, storage: Layer.Layer<Storage, E>): void => {
  describe(`SnoozeStore: ${name}`, () => {
    block("snoozes", storage, tests);
  });
};
