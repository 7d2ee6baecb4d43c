import { assert } from "@effect/vitest";
import {
  IdempotencyStore,
  IssueStore,
  KeyStore,
  McpServerStore,
  RunStore,
} from "@quartermaster/core";
import { Deferred, Effect, Fiber, Option } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import { type Storage, transact } from "../../Storage.ts";
import { everything, ids, type It } from "../../Suite.ts";

const listed = (projectId: string) =>
  IssueStore.IssueStore.use((issues) => Effect.map(issues.list({ projectId }, everything), ids));

const current = (issueId: string) =>
  IssueStore.IssueStore.use((issues) => Effect.flatMap(issues.get(issueId), Effect.fromOption));

/**
 * Inserts two issues in one transaction. A reader starts between the writes and may have to wait.
 */
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

/**
 * Runs 20 changes, each of which inserts a row if it is missing, and checks that exactly one
 * inserts.
 */
const checkInsertsOnce = Effect.fnUntraced(function* <E, R, E2, R2>(
  exists: Effect.Effect<boolean, E, R>,
  insert: Effect.Effect<unknown, E2, R2>,
) {
  const change = transact(
    Effect.gen(function* () {
      if (yield* exists) return false;
      yield* Effect.yieldNow;
      yield* insert;
      return true;
    }),
  );
  const inserted = yield* Effect.all(
    Array.from({ length: 20 }, () => change),
    { concurrency: "unbounded" },
  );
  assert.lengthOf(inserted.filter(Boolean), 1);
});

export const tests = (it: It<Storage>): void => {
  it.effect("other readers see all of a change or nothing", () =>
    Effect.gen(function* () {
      const projectId = yield* Fixtures.id("project");
      const seen = yield* readBetweenWrites(projectId, Effect.void);
      assert.include([0, 2], seen.length);
      assert.lengthOf(yield* listed(projectId), 2);
    }),
  );

  it.effect("other readers see nothing of a change that rolls back", () =>
    Effect.gen(function* () {
      const projectId = yield* Fixtures.id("project");
      assert.deepStrictEqual(yield* readBetweenWrites(projectId, Effect.die("defect")), []);
      assert.deepStrictEqual(yield* listed(projectId), []);
    }),
  );

  it.effect("fibers that a change starts see its writes and write as part of it", () =>
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

  it.effect("none of 50 concurrent increments is lost", () =>
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

  it.effect("of 50 concurrent increments, of which every third fails, the others commit", () =>
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

  it.effect("one of 20 concurrent changes that insert a missing row inserts it", () =>
    Effect.gen(function* () {
      const idempotency = yield* IdempotencyStore.IdempotencyStore;
      const keys = yield* KeyStore.KeyStore;
      const runs = yield* RunStore.RunStore;
      const servers = yield* McpServerStore.McpServerStore;
      const issue = yield* Fixtures.issue();
      const name = yield* Fixtures.id("mcp");
      const row = yield* Fixtures.idempotencyRow();
      yield* checkInsertsOnce(
        Effect.map(idempotency.get(row.keyId, row.idempotencyKey), Option.isSome),
        idempotency.put(row),
      );
      yield* checkInsertsOnce(
        Effect.map(runs.ofIssue(issue.id), Option.isSome),
        Fixtures.run(issue),
      );
      yield* checkInsertsOnce(
        Effect.map(servers.getByName(name), Option.isSome),
        Fixtures.server({ name }),
      );
      yield* checkInsertsOnce(
        Effect.map(keys.owners(Fixtures.at(0)), (count) => count > 0),
        Effect.flatMap(Fixtures.keyRow({ role: "Owner" }), keys.insert),
      );
    }),
  );
};
