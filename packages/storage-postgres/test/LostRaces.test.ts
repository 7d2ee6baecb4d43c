import { assert, it } from "@effect/vitest";
import { IdempotencyStore, Issue, Issues, Transactor } from "@quartermaster/core";
import { Callers, Fixtures, TestCore } from "@quartermaster/testing";
import { Effect } from "effect";
import * as LostRaces from "./support/LostRaces.ts";
import { withServer } from "./support/TestStorage.ts";

withServer(() => {
  // `.ci/run` runs core's tests over this storage.
  it.effect("a change that loses a race at any of its statements has the same outcome", () =>
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const assigned = { title: "Say hello", description: "To @ada", assignedAgentId: "agent" };
      const outcomes = new Set<string>();
      let made = 0;
      let before = -1;
      // Until a creation has nothing left to lose at.
      while (before < LostRaces.count()) {
        before = LostRaces.count();
        const issue = yield* issues.create("shop", { ...assigned, externalRef: `${made}` });
        made += 1;
        // Only the first one creates its project and its agent.
        const created =
          made === 1 ? { project: "shop", agent: "agent" } : Issue.noSideEffects.created;
        assert.deepStrictEqual(issue.created, created);
        const { items } = yield* issues.activity(issue.id);
        const unlike = { id: "", key: "", externalRef: "", createdAt: "", updatedAt: "" };
        const same = { ...issue, created: null, ...unlike };
        outcomes.add(JSON.stringify([same, items.map(({ data, kind }) => [kind, data])]));
      }
      assert.isAbove(made, 8);
      assert.strictEqual(outcomes.size, 1);
      assert.lengthOf((yield* issues.list("shop", { limit: 200 })).items, made);
    }).pipe(
      Callers.as(Callers.user("alice")),
      Effect.provide(TestCore.layerWith({ storage: LostRaces.layer })),
    ),
  );

  it.effect("a relaxed change that loses a race before its first statement runs again", () =>
    Effect.gen(function* () {
      const { transactRelaxed } = yield* Transactor.Transactor;
      const store = yield* IdempotencyStore.IdempotencyStore;
      const row = { keyId: "key", fingerprint: "f", status: 201, resourceId: "r" };
      const before = LostRaces.count();
      for (const n of [1, 2, 3, 4]) {
        const createdAt = Fixtures.at(n);
        yield* transactRelaxed(store.put({ ...row, idempotencyKey: `${n}`, createdAt }));
      }
      // SET LOCAL, INSERT and COMMIT.
      assert.strictEqual(LostRaces.count() - before, 3);
      assert.strictEqual(yield* transactRelaxed(store.prune(Fixtures.at(9), 9)), 4);
    }).pipe(Effect.provide(LostRaces.layer)),
  );

  it.live("a change that loses a race after more than five seconds runs again", () =>
    Effect.gen(function* () {
      const { transact } = yield* Transactor.Transactor;
      const store = yield* IdempotencyStore.IdempotencyStore;
      let runs = 0;
      const slow = Effect.suspend(() => {
        runs += 1;
        return Effect.andThen(
          runs === 1 ? Effect.sleep(5_100) : Effect.void,
          store.prune(Fixtures.at(1), 1),
        );
      });
      assert.strictEqual(yield* transact(slow), 0);
      assert.strictEqual(runs, 2);
    }).pipe(Effect.provide(LostRaces.layer)),
  );
});
