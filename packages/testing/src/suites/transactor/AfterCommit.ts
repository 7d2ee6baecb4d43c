import { assert } from "@effect/vitest";
import { IssueStore, Transactor } from "@quartermaster/core";
import { Deferred, Effect, Fiber, Option } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import { type Storage, transact } from "../../Storage.ts";
import type { It } from "../../Suite.ts";

/** A log, and a function that registers a callback which appends to it after the commit. */
const makeLog = Effect.gen(function* () {
  const transactor = yield* Transactor.Transactor;
  const log: Array<string> = [];
  const say = (word: string) => Effect.sync(() => void log.push(word));
  return { log, say, sayAfter: (word: string) => transactor.afterCommit(say(word)) };
});

export const tests = (it: It<Storage>): void => {
  it.effect("callbacks run after the commit, in the order of registration", () =>
    Effect.gen(function* () {
      const { log, say, sayAfter } = yield* makeLog;
      yield* transact(
        Effect.gen(function* () {
          yield* sayAfter("first");
          yield* Fixtures.issue();
          yield* sayAfter("second");
          yield* say("within");
          yield* sayAfter("third");
        }),
      );
      assert.deepStrictEqual(log, ["within", "first", "second", "third"]);
    }),
  );

  it.effect("a callback and other readers see the change", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const { afterCommit, transact } = yield* Transactor.Transactor;
      const row = yield* Fixtures.issueRow();
      const seen = yield* Deferred.make<boolean>();
      const bell = yield* Deferred.make<void>();
      const listener = yield* Effect.forkChild(
        Effect.andThen(Deferred.await(bell), issues.get(row.id)),
        { startImmediately: true },
      );
      yield* transact(
        Effect.andThen(
          issues.insert(row),
          afterCommit(
            issues.get(row.id).pipe(
              Effect.orDie,
              Effect.flatMap((found) => Deferred.succeed(seen, Option.isSome(found))),
              Effect.andThen(Deferred.succeed(bell, undefined)),
              Effect.asVoid,
            ),
          ),
        ),
      );
      assert.isTrue(yield* Deferred.await(seen));
      assert.isTrue(Option.isSome(yield* Fiber.join(listener)));
    }),
  );

  it.effect("a callback does not run if the change fails, dies or is interrupted", () =>
    Effect.gen(function* () {
      const { log, sayAfter } = yield* makeLog;
      for (const end of [Effect.fail("no"), Effect.die("defect"), Effect.interrupt]) {
        yield* Effect.exit(transact(Effect.andThen(sayAfter("never"), end)));
      }
      yield* transact(sayAfter("once"));
      assert.deepStrictEqual(log, ["once"]);
    }),
  );

  it.effect("a callback of a nested transaction waits for the outermost commit", () =>
    Effect.gen(function* () {
      const { log, say, sayAfter } = yield* makeLog;
      yield* transact(
        Effect.gen(function* () {
          yield* sayAfter("outer");
          yield* transact(sayAfter("inner"));
          yield* say("inner is over");
          yield* sayAfter("last");
        }),
      );
      assert.deepStrictEqual(log, ["inner is over", "outer", "inner", "last"]);
      yield* Effect.exit(transact(Effect.andThen(transact(sayAfter("never")), Effect.fail("no"))));
      assert.lengthOf(log, 4);
    }),
  );

  it.effect("a nested transaction that rolls back drops its own callbacks", () =>
    Effect.gen(function* () {
      const { log, sayAfter } = yield* makeLog;
      yield* transact(
        Effect.gen(function* () {
          yield* sayAfter("outer");
          yield* Effect.exit(transact(Effect.andThen(sayAfter("never"), Effect.fail("no"))));
          yield* sayAfter("last");
        }),
      );
      assert.deepStrictEqual(log, ["outer", "last"]);
    }),
  );

  it.effect("a callback may start a transaction", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const { afterCommit, transact } = yield* Transactor.Transactor;
      const row = yield* Fixtures.issueRow();
      yield* transact(afterCommit(Effect.orDie(transact(Effect.asVoid(issues.insert(row))))));
      assert.isTrue(Option.isSome(yield* issues.get(row.id)));
    }),
  );

  it.effect("a callback that dies neither rolls the change back nor stops the next callback", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const { afterCommit, transact } = yield* Transactor.Transactor;
      const { log, sayAfter } = yield* makeLog;
      const row = yield* transact(
        Effect.gen(function* () {
          yield* afterCommit(Effect.die("a defect of the callback"));
          yield* sayAfter("next");
          return yield* Fixtures.issue();
        }),
      );
      assert.deepStrictEqual(log, ["next"]);
      assert.isTrue(Option.isSome(yield* issues.get(row.id)));
    }),
  );

  it.effect("outside a transaction a callback runs immediately", () =>
    Effect.gen(function* () {
      const { log, sayAfter } = yield* makeLog;
      yield* sayAfter("now");
      assert.deepStrictEqual(log, ["now"]);
    }),
  );
};
