import { assert } from "@effect/vitest";
import { IssueStore } from "@quartermaster/core";
import { Deferred, Effect, Fiber } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import { type Storage, transact } from "../../Storage.ts";
import { everything, ids, type It } from "../../Suite.ts";

const listed = (projectId: string) =>
  IssueStore.IssueStore.use((issues) => Effect.map(issues.list({ projectId }, everything), ids));

const current = (issueId: string) =>
  IssueStore.IssueStore.use((issues) => Effect.flatMap(issues.get(issueId), Effect.fromOption));

/** Two issues in one transaction, with a reader begun between the writes who may wait or not. */
const readBetweenWrites = <E>(projectId: string, end: Effect.Effect<void, E>) =>
  Effect.gen(function* () {
    const between = yield* Deferred.make<void>();
    const reader = yield* Effect.forkChild(
      Effect.andThen(Deferred.await(between), listed(projectId)),
      { startImmediately: true },
    );
    yield* Effect.exit(
      transact(
        Effect.gen(function* () {
          yield* Fixtures.issue({ projectId });
          yield* Deferred.succeed(between, undefined);
          yield* Effect.replicateEffect(Effect.yieldNow, 10);
          yield* Fixtures.issue({ projectId });
          yield* end;
        }),
      ),
    );
    return yield* Fiber.join(reader);
  });

export const tests = (it: It<Storage>): void => {
  it.effect("others see all of a change or nothing", () =>
    Effect.gen(function* () {
      const projectId = yield* Fixtures.id("project");
      const seen = yield* readBetweenWrites(projectId, Effect.void);
      assert.include([0, 2], seen.length);
      assert.lengthOf(yield* listed(projectId), 2);
    }),
  );

  it.effect("others see nothing of a change that is not kept", () =>
    Effect.gen(function* () {
      const projectId = yield* Fixtures.id("project");
      assert.deepStrictEqual(yield* readBetweenWrites(projectId, Effect.die("defect")), []);
      assert.deepStrictEqual(yield* listed(projectId), []);
    }),
  );

  it.effect("fibers begun within see its writes and write as part of it", () =>
    Effect.gen(function* () {
      const projectId = yield* Fixtures.id("project");
      const make = Fixtures.issue({ projectId });
      yield* Effect.exit(
        transact(
          Effect.gen(function* () {
            yield* make;
            yield* Effect.all([make, make, make], { concurrency: "unbounded" });
            const fiber = yield* Effect.forkChild(listed(projectId));
            assert.lengthOf(yield* Fiber.join(fiber), 4);
            return yield* Effect.fail("no");
          }),
        ),
      );
      assert.deepStrictEqual(yield* listed(projectId), []);
    }),
  );

  it.effect("of 50 increments at once none is lost", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const { id } = yield* Fixtures.issue({ version: 1 });
      const increment = transact(
        Effect.gen(function* () {
          const row = yield* current(id);
          yield* Effect.yieldNow;
          yield* issues.update([{ ...row, version: row.version + 1 }]);
        }),
      );
      yield* Effect.all(
        Array.from({ length: 50 }, () => increment),
        { concurrency: "unbounded" },
      );
      assert.strictEqual((yield* current(id)).version, 51);
    }),
  );

  it.effect("of 50 increments at once, every third of which fails, the others are kept", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const { id } = yield* Fixtures.issue({ version: 0 });
      const increment = (n: number) =>
        transact(
          Effect.gen(function* () {
            const row = yield* current(id);
            yield* issues.update([{ ...row, version: row.version + 1 }]);
            yield* Effect.yieldNow;
            yield* n % 3 === 0 ? Effect.fail("no") : Effect.void;
          }),
        );
      yield* Effect.forEach(
        Array.from({ length: 50 }, (_, n) => n),
        (n) => Effect.exit(increment(n)),
        { concurrency: "unbounded" },
      );
      assert.strictEqual((yield* current(id)).version, 33);
    }),
  );

  it.effect("of 20 that find there is none and make one, one does", () =>
    Effect.gen(function* () {
      const projectId = yield* Fixtures.id("project");
      const makeOne = transact(
        Effect.gen(function* () {
          const found = yield* listed(projectId);
          yield* Effect.yieldNow;
          return found.length === 0 ? yield* Fixtures.issue({ projectId }) : undefined;
        }),
      );
      yield* Effect.all(
        Array.from({ length: 20 }, () => makeOne),
        { concurrency: "unbounded" },
      );
      assert.lengthOf(yield* listed(projectId), 1);
    }),
  );
};
