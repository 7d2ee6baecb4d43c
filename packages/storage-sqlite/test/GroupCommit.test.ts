import { assert, describe, it } from "@effect/vitest";
import { Cause, Context, Deferred, Effect, Exit, Fiber, Option } from "effect";
import * as Grouped from "./support/Grouped.ts";

const begin = "BEGIN IMMEDIATE";
const save = "SAVEPOINT change";
const release = "RELEASE SAVEPOINT change";
const undo = "ROLLBACK TO SAVEPOINT change";

const full = 13;
const busy = 5;

const reason = (exit: Exit.Exit<unknown, { readonly message: string }>) =>
  Exit.isFailure(exit)
    ? Option.getOrUndefined(Cause.findErrorOption(exit.cause))?.message
    : undefined;

/** Fibers that have all started and get the writer in this order. */
const forkAll = <A, E, R>(changes: ReadonlyArray<Effect.Effect<A, E, R>>) =>
  Effect.forEach(changes, (change) => Effect.forkChild(change, { startImmediately: true }));

describe("GroupCommit", () => {
  it.effect("a transaction without waiters behind it commits on its own", () =>
    Effect.gen(function* () {
      const { said, say, transact } = yield* Grouped.make;
      yield* transact(say("a"));
      yield* transact(say("b"));
      const one = (sql: string) => [begin, sql, "COMMIT"];
      assert.deepStrictEqual(said, [...one("a"), ...one("b")]);
    }),
  );

  it.effect("transactions that wait share a commit, and return after it", () =>
    Effect.gen(function* () {
      const { said, say, transact } = yield* Grouped.make;
      const answered: Array<string> = [];
      const fibers = yield* forkAll(
        ["a", "b", "c"].map((name) =>
          Effect.andThen(
            transact(say(name)),
            Effect.sync(() => answered.push(`${name} after ${said.at(-1)}`)),
          ),
        ),
      );
      yield* Fiber.joinAll(fibers);
      assert.deepStrictEqual(said, [
        begin,
        "a",
        ...["b", "c"].flatMap((name) => [save, name, release]),
        "COMMIT",
      ]);
      assert.deepStrictEqual(answered.toSorted(), [
        "a after COMMIT",
        "b after COMMIT",
        "c after COMMIT",
      ]);
    }),
  );

  it.effect("a transaction that must be durable does not join a relaxed group", () =>
    Effect.gen(function* () {
      const { said, say, transact, transactRelaxed } = yield* Grouped.make;
      yield* Effect.flatMap(
        forkAll([
          transactRelaxed(say("a")),
          transactRelaxed(say("b")),
          transact(say("c")),
          transactRelaxed(say("d")),
        ]),
        Fiber.joinAll,
      );
      const relaxed = ["relaxed", begin, "a", save, "b", release, "COMMIT"];
      const durable = [begin, "c", save, "d", release, "COMMIT"];
      assert.deepStrictEqual(said, [...relaxed, ...durable]);
    }),
  );

  class Who extends Context.Service<Who, string>()("test/Who") {}

  it.effect(
    "a callback has the services of its registration, and its transactions are durable",
    () =>
      Effect.gen(function* () {
        const { afterCommit, said, say, transact, transactRelaxed } = yield* Grouped.make;
        const later = afterCommit(Effect.flatMap(Who, (who) => Effect.orDie(transact(say(who)))));
        const as = (who: string) => Effect.provideService(later, Who, who);
        yield* transactRelaxed(
          Effect.all([later, as("b"), transactRelaxed(later), transact(as("d"))]),
        ).pipe(Effect.provideService(Who, "a"));
        const durable = (who: string) => [begin, who, "COMMIT"];
        const nested = ["SAVEPOINT nested_1", "RELEASE SAVEPOINT nested_1"];
        const relaxed = ["relaxed", begin, ...nested, ...nested, "COMMIT"];
        assert.deepStrictEqual(said, [...relaxed, ...["a", "b", "a", "d"].flatMap(durable)]);
      }),
  );

  it.effect("a group has at most 64 members, and every transaction gets the writer", () =>
    Effect.gen(function* () {
      const { said, say, transact } = yield* Grouped.make;
      yield* Effect.forEach(Array.from({ length: 200 }), () => transact(say("x")), {
        concurrency: "unbounded",
      });
      const commits = said.filter((sql) => sql === "COMMIT").length;
      assert.strictEqual(said.filter((sql) => sql === "x").length, 200);
      assert.isAtLeast(commits, 4);
      assert.isAtMost(commits, 5);
    }),
  );

  it.effect("a change that fails, dies or is interrupted undoes its own writes only", () =>
    Effect.gen(function* () {
      const { said, say, transact } = yield* Grouped.make;
      const fibers = yield* forkAll([
        transact(say("kept")),
        transact(Effect.andThen(say("failed"), Effect.fail("no" as const))),
        transact(Effect.andThen(say("died"), Effect.die("bug"))),
        transact(Effect.andThen(say("interrupted"), Effect.interrupt)),
        transact(say("last")),
      ]);
      const exits = yield* Effect.forEach(fibers, Fiber.await);
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, false, false, false, true]);
      const undone = (name: string) => [save, name, undo, release];
      assert.deepStrictEqual(said, [
        begin,
        "kept",
        ...undone("failed"),
        ...undone("died"),
        ...undone("interrupted"),
        save,
        "last",
        release,
        "COMMIT",
      ]);
    }),
  );

  it.effect(
    "a first member that fails rolls its group back, and the next transaction opens another",
    () =>
      Effect.gen(function* () {
        const { said, say, transact } = yield* Grouped.make;
        const fibers = yield* forkAll([
          Effect.ignore(
            transact(
              say("failed").pipe(
                Effect.andThen(Effect.yieldNow),
                Effect.andThen(Effect.fail("no")),
              ),
            ),
          ),
          transact(say("kept")),
        ]);
        yield* Fiber.joinAll(fibers);
        assert.deepStrictEqual(said, [begin, "failed", "ROLLBACK", begin, "kept", "COMMIT"]);
      }),
  );

  it.effect("a transaction interrupted while it waits delays no other", () =>
    Effect.gen(function* () {
      const { said, say, transact } = yield* Grouped.make;
      const gate = yield* Deferred.make<void>();
      const [first, second, third] = yield* forkAll([
        transact(Effect.andThen(say("a"), Deferred.await(gate))),
        transact(Effect.asVoid(say("never"))),
        transact(Effect.asVoid(say("c"))),
      ]);
      yield* Fiber.interrupt(second!);
      yield* Deferred.succeed(gate, undefined);
      yield* Fiber.joinAll([first!, third!]);
      assert.deepStrictEqual(said, [begin, "a", save, "c", release, "COMMIT"]);
    }),
  );

  it.effect("a transaction interrupted as it gets the writer passes it on", () =>
    Effect.gen(function* () {
      const { said, say, transact } = yield* Grouped.make;
      const gate = yield* Deferred.make<void>();
      const [first, second, third] = yield* forkAll([
        transact(
          Effect.andThen(say("a"), Deferred.await(gate)).pipe(
            // The step that ends the first transaction also grants the second one the writer.
            Effect.ensuring(Effect.sync(() => said.push("ends"))),
          ),
        ),
        transact(Effect.asVoid(say("b"))),
        transact(Effect.asVoid(say("c"))),
      ]);
      yield* Deferred.succeed(gate, undefined);
      while (!said.includes("ends")) yield* Effect.yieldNow;
      yield* Fiber.interrupt(second!);
      yield* Fiber.joinAll([first!, third!]);
      assert.include(said, "c");
      assert.strictEqual(said.at(-1), "COMMIT");
      yield* transact(say("later"));
      assert.include(said, "later");
    }),
  );

  it.effect("when COMMIT fails, every member fails, and the next group works", () =>
    Effect.gen(function* () {
      const { fail, said, say, transact } = yield* Grouped.make;
      fail("COMMIT", full);
      const exits = yield* Effect.forEach(["a", "b"], (name) => Effect.exit(transact(say(name))), {
        concurrency: "unbounded",
      });
      assert.deepStrictEqual(exits.map(Exit.isFailure), [true, true]);
      assert.deepStrictEqual(said.slice(-2), ["COMMIT", "ROLLBACK"]);
      yield* transact(say("c"));
      assert.strictEqual(said.at(-1), "COMMIT");
    }),
  );

  it.effect("when SQLite ends the transaction, every member of the group fails", () =>
    Effect.gen(function* () {
      const { fail, said, say, transact } = yield* Grouped.make;
      fail("b", full, { ends: true });
      const exits = yield* Effect.forEach(
        [say("a"), Effect.andThen(Effect.ignore(say("b")), say("b2")), say("c")],
        (change) => Effect.exit(transact(change)),
        { concurrency: "unbounded" },
      );
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [false, false, true]);
      assert.match(reason(exits[0]!) ?? "", /stored nothing of it/);
      // After the end, no statement of that change reached the connection.
      assert.notInclude(said, "b2");
      assert.deepStrictEqual(said.slice(said.indexOf("b") + 1), [begin, "c", "COMMIT"]);
    }),
  );

  it.effect("a change that cannot be undone makes its group roll back", () =>
    Effect.gen(function* () {
      const { fail, said, say, transact } = yield* Grouped.make;
      fail(undo, 10);
      const exits = yield* Effect.forEach(
        [say("a"), Effect.andThen(say("b"), Effect.fail("no" as const)), say("c")],
        (change) => Effect.exit(transact(change)),
        { concurrency: "unbounded" },
      );
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [false, false, true]);
      assert.strictEqual(said.filter((sql) => sql === "COMMIT").length, 1);
      assert.include(said, "ROLLBACK");
    }),
  );

  it.effect("BEGIN is tried again while another process writes", () =>
    Effect.gen(function* () {
      const { fail, said, say, transact } = yield* Grouped.make;
      fail(begin, busy, { times: 20 });
      yield* transact(say("a"));
      assert.strictEqual(said.filter((sql) => sql === begin).length, 21);
      assert.strictEqual(said.at(-1), "COMMIT");
    }),
  );

  it.effect("when BEGIN keeps failing, every waiting transaction fails with it", () =>
    Effect.gen(function* () {
      const { fail, said, say, transact } = yield* Grouped.make;
      fail(begin, busy, { times: 1_000 });
      const exits = yield* Effect.forEach(["a", "b"], (name) => Effect.exit(transact(say(name))), {
        concurrency: "unbounded",
      });
      assert.deepStrictEqual(exits.map(Exit.isFailure), [true, true]);
      assert.notInclude(said, "a");
      yield* transact(say("c"));
      assert.strictEqual(said.at(-1), "COMMIT");
    }),
  );

  it.effect("a transaction interrupted before its group is open lets the next one open it", () =>
    Effect.gen(function* () {
      const { fail, said, say, transact } = yield* Grouped.make;
      fail(begin, busy, { times: 20 });
      const [first, second] = yield* forkAll([transact(say("a")), transact(say("b"))]);
      yield* Fiber.interrupt(first!);
      yield* Fiber.join(second!);
      assert.notInclude(said, "a");
      assert.deepStrictEqual(said.slice(-3), [begin, "b", "COMMIT"]);
    }),
  );

  it.effect("a fiber that outlives its transaction cannot write into another's", () =>
    Effect.gen(function* () {
      const { said, say, transact } = yield* Grouped.make;
      const gate = yield* Deferred.make<void>();
      const late = yield* transact(
        Effect.forkDetach(Effect.andThen(Deferred.await(gate), say("late"))),
      );
      const exit = yield* transact(
        Effect.andThen(Deferred.succeed(gate, undefined), Fiber.await(late)),
      );
      assert.isTrue(Exit.isFailure(exit));
      assert.notInclude(said, "late");
    }),
  );

  it.effect("a nested transaction is a savepoint: it can fail without the outer one", () =>
    Effect.gen(function* () {
      const { said, say, transact } = yield* Grouped.make;
      yield* transact(
        Effect.gen(function* () {
          yield* transact(say("kept"));
          yield* Effect.ignore(transact(Effect.andThen(say("undone"), Effect.fail("no"))));
        }),
      );
      assert.deepStrictEqual(said, [
        begin,
        "SAVEPOINT nested_1",
        "kept",
        "RELEASE SAVEPOINT nested_1",
        "SAVEPOINT nested_1",
        "undone",
        "ROLLBACK TO SAVEPOINT nested_1",
        "RELEASE SAVEPOINT nested_1",
        "COMMIT",
      ]);
    }),
  );
});
