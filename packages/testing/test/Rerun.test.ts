import { assert, it } from "@effect/vitest";
import { IssueStore, Transactor } from "@quartermaster/core";
import { Fixtures, MemoryStorage, SeededRandom } from "@quartermaster/testing";
import { Effect, Exit, Layer } from "effect";

const everything = { limit: 500, order: "asc", after: null } as const;

const transact = <A, E, R>(change: Effect.Effect<A, E, R>) =>
  Transactor.Transactor.use((transactor) => transactor.transact(change));

const over = (storage: typeof MemoryStorage.layer) =>
  Effect.provide(Layer.merge(storage, SeededRandom.layer));

/** Creates an issue for each name in a collection that it empties, so repeating it is not safe. */
const createForEach = Effect.gen(function* () {
  const issues = yield* IssueStore.IssueStore;
  const projectId = yield* Fixtures.id("project");
  const names = new Set(["first", "second"]);
  yield* transact(
    Effect.gen(function* () {
      for (const title of names) {
        yield* Fixtures.issue({ projectId, title });
        names.delete(title);
      }
    }),
  );
  return (yield* issues.list({ projectId }, everything)).map(({ title }) => title);
});

it.effect("layerRerun finds a change that consumes a value from outside", () =>
  Effect.gen(function* () {
    const once = yield* over(MemoryStorage.layer)(createForEach);
    const twice = yield* over(MemoryStorage.layerRerun)(createForEach);
    assert.deepStrictEqual(once, ["first", "second"]);
    assert.deepStrictEqual(twice, []);
  }),
);

it.effect("layerRerun runs an outermost change twice and commits only the second run", () =>
  Effect.gen(function* () {
    const issues = yield* IssueStore.IssueStore;
    const { afterCommit } = yield* Transactor.Transactor;
    const projectId = yield* Fixtures.id("project");
    const log: Array<string> = [];
    const write = (text: string) => Effect.sync(() => void log.push(text));
    const committed = yield* transact(
      Effect.gen(function* () {
        yield* write("run");
        yield* afterCommit(write("after commit"));
        yield* transact(write("inner"));
        assert.deepStrictEqual(yield* issues.list({ projectId }, everything), []);
        return yield* Fixtures.issue({ projectId });
      }),
    );
    assert.deepStrictEqual(log, ["run", "inner", "run", "inner", "after commit"]);
    assert.deepStrictEqual(yield* issues.list({ projectId }, everything), [committed]);
  }).pipe(over(MemoryStorage.layerRerun)),
);

it.effect("layerRerun passes on the failure of the second run", () =>
  Effect.gen(function* () {
    const attempts: Array<number> = [];
    const exit = yield* Effect.exit(
      transact(Effect.suspend(() => Effect.fail(attempts.push(attempts.length)))),
    );
    assert.deepStrictEqual(exit, Exit.fail(2));
  }).pipe(over(MemoryStorage.layerRerun)),
);
