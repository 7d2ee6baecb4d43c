import { assert, describe } from "@effect/vitest";
import { EventStore, Housekeeping, RunStore, SessionStore } from "@quartermaster/core";
import { Fixtures, Storage } from "@quartermaster/testing";
import { Clock, Effect, Fiber, Option } from "effect";
import { TestClock } from "effect/testing";
import { check, create, executing, finish, heartbeat, kinds } from "./support/World.ts";

const tidy = Effect.flatMap(Housekeeping.Housekeeping, ({ once }) => once);

describe("Housekeeping", () => {
  check(
    "[housekeeping.leases] runs whose lease is over are ended on the record",
    Effect.gen(function* () {
      const { issue } = yield* executing();
      yield* tidy;
      assert.notInclude(yield* kinds(issue.id), "leaseExpired");
      yield* TestClock.adjust("5 minutes");
      yield* tidy;
      assert.strictEqual((yield* kinds(issue.id)).at(-1), "leaseExpired");
      yield* tidy;
      assert.lengthOf(
        (yield* kinds(issue.id)).filter((kind) => kind === "leaseExpired"),
        1,
      );
      assert.lengthOf((yield* heartbeat("bot")).started, 1);
    }),
  );

  check(
    "[housekeeping.runs] ended runs are retained for 90 days, events for 30 days",
    Effect.gen(function* () {
      const runs = yield* RunStore.RunStore;
      const events = yield* EventStore.EventStore;
      const { runId } = yield* executing();
      yield* finish(runId, "resolved");
      const count = Effect.map(
        events.list({ projects: null, kinds: null }, { after: 0, until: 1e9, limit: 100 }),
        (rows) => rows.length,
      );
      const before = yield* count;
      yield* TestClock.adjust("30 days");
      yield* tidy;
      assert.strictEqual(yield* count, before);
      yield* TestClock.adjust("1 day");
      yield* tidy;
      assert.strictEqual(yield* count, 0);
      yield* TestClock.adjust("59 days");
      yield* tidy;
      assert.isTrue(Option.isSome(yield* runs.get(runId)));
      yield* TestClock.adjust("1 second");
      yield* tidy;
      assert.isTrue(Option.isNone(yield* runs.get(runId)));
    }),
  );

  check(
    "[housekeeping.sessions] sessions that are over go, in as many steps as it takes",
    Effect.gen(function* () {
      const sessions = yield* SessionStore.SessionStore;
      const over = yield* Fixtures.sessionRow({ expiresAt: "1970-01-01T00:00:00.000Z" });
      const stands = yield* Fixtures.sessionRow();
      yield* Storage.transact(Effect.andThen(sessions.insert(over), sessions.insert(stands)));
      yield* TestClock.adjust("1 second");
      yield* tidy;
      assert.isTrue(Option.isNone(yield* sessions.get(over.hash)));
      assert.isTrue(Option.isSome(yield* sessions.get(stands.hash)));
    }),
  );

  check(
    "a clock that was set a month ahead removes nothing for an hour",
    Effect.gen(function* () {
      const events = yield* EventStore.EventStore;
      const { issue } = yield* executing();
      const newest = yield* events.lastSeq;
      const clock = yield* Clock.Clock;
      const month = 31 * 86_400_000;
      const ahead = Effect.provideService(tidy, Clock.Clock, {
        ...clock,
        currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + month,
        currentTimeMillis: Effect.map(clock.currentTimeMillis, (millis) => millis + month),
      });
      yield* tidy;
      yield* ahead;
      yield* TestClock.adjust("59 minutes");
      yield* ahead;
      assert.strictEqual(yield* events.lastSeq, newest);
      assert.notInclude(yield* kinds(issue.id), "leaseExpired");
      yield* TestClock.adjust("1 minute");
      yield* ahead;
      assert.include(yield* kinds(issue.id), "leaseExpired");
      const left = yield* events.list(
        { projects: null, kinds: null },
        { after: 0, until: newest, limit: 1 },
      );
      assert.deepStrictEqual(left, []);
    }),
  );

  check(
    "[housekeeping.run] housekeeping runs now and every minute",
    Effect.gen(function* () {
      const { run } = yield* Housekeeping.Housekeeping;
      const { issue } = yield* executing();
      const fiber = yield* Effect.forkChild(run);
      yield* create();
      yield* TestClock.adjust("6 minutes");
      yield* Fiber.interrupt(fiber);
      assert.strictEqual((yield* kinds(issue.id)).at(-1), "leaseExpired");
    }),
  );
});
