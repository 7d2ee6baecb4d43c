import { assert, it } from "@effect/vitest";
import { IssueStore } from "@quartermaster/core";
import { Fixtures, SeededRandom, Storage as Testing } from "@quartermaster/testing";
import { Effect, Layer } from "effect";
import { Storage } from "../src/index.ts";
import { newSchema, options, withServer } from "./support/TestStorage.ts";

const count = 60;

withServer(() => {
  it.effect(
    "[keys.nodes] two nodes give the issues of a project different numbers, without gaps",
    () =>
      Effect.gen(function* () {
        const schema = yield* newSchema;
        const node = (seed: number) =>
          Effect.all(
            Array.from({ length: count }, (_, n) => Fixtures.issue({ projectId: `p${n % 2}` })),
            { concurrency: 16 },
          ).pipe(
            Effect.provide(
              Layer.merge(Storage.layer(options(schema)), SeededRandom.layerWith({ seed })),
            ),
          );
        yield* Effect.scoped(Layer.build(Storage.layer(options(schema))));
        const created = yield* Effect.all([node(1), node(2)], { concurrency: 2 });
        for (const projectId of ["p0", "p1"]) {
          const numbers = created
            .flat()
            .filter((issue) => issue.projectId === projectId)
            .map(({ number }) => number);
          assert.deepStrictEqual(
            numbers.toSorted((a, b) => a - b),
            Array.from({ length: count }, (_, n) => n + 1),
          );
        }
      }).pipe(Effect.scoped),
  );

  it.effect("a number that a change did not use leaves a gap", () =>
    Effect.gen(function* () {
      const schema = yield* newSchema;
      const numbers = Effect.gen(function* () {
        const issues = yield* IssueStore.IssueStore;
        const row = yield* Fixtures.issueRow();
        yield* Effect.flip(
          Testing.transact(Effect.andThen(issues.insert(row), Effect.fail("rolled back"))),
        );
        return (yield* Fixtures.issue()).number;
      });
      assert.strictEqual(
        yield* Effect.provide(
          numbers,
          Layer.merge(Storage.layer(options(schema)), SeededRandom.layer),
        ),
        2,
      );
    }).pipe(Effect.scoped),
  );
});
