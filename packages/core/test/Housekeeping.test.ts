import { assert, describe, it } from "@effect/vitest";
import {
  AuditStore,
  EffectStore,
  EventStore,
  Housekeeping,
  Questions,
  RunStore,
  SessionStore,
  SnoozeStore,
  ToolCallStore,
  Transactor,
} from "@quartermaster/core";
import { Fixtures, Storage, TestCore } from "@quartermaster/testing";
import { Clock, Effect, Fiber, Logger, Option } from "effect";
import { TestClock } from "effect/testing";
import * as TestStorage from "./support/Storage.ts";
import { check, create, executing, finish, heartbeat, kinds } from "./support/World.ts";

const tidy = Effect.flatMap(Housekeeping.Housekeeping, ({ once }) => once);

const day = 86_400_000;

/** Runs an effect with a wall clock that is ahead by this many milliseconds. */
const ahead = <A, E, R>(millis: number, effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Clock.Clock, (clock) =>
    Effect.provideService(effect, Clock.Clock, {
      ...clock,
      currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + millis,
      currentTimeMillis: Effect.map(clock.currentTimeMillis, (now) => now + millis),
    }),
  );

/** Runs an effect. Returns the lines that it logs. */
const logged = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const lines: Array<string> = [];
  const logger = Logger.make(({ message }) => lines.push(String(message)));
  yield* Effect.provide(effect, Logger.layer([logger]));
  return lines;
});

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
    "[audit.retention] entries of the audit log are retained for 400 days",
    Effect.gen(function* () {
      const store = yield* AuditStore.AuditStore;
      yield* Storage.transact(
        store.append([Fixtures.auditEntry({ at: "1970-01-01T00:00:00.000Z" })]),
      );
      const all = { actions: null, actor: null, from: null, to: null };
      const left = store.list(all, { limit: 1, order: "asc", after: null });
      yield* TestClock.adjust("400 days");
      yield* tidy;
      assert.lengthOf(yield* left, 1);
      yield* TestClock.adjust("1 second");
      yield* tidy;
      assert.lengthOf(yield* left, 0);
    }),
  );

  check(
    "[housekeeping.snoozes] snoozes that are over go",
    Effect.gen(function* () {
      const snoozes = yield* SnoozeStore.SnoozeStore;
      const snooze = (itemId: string, until: string) =>
        snoozes.put({ principal: "User ada", kind: "review", itemId, since: until, until });
      const over = "1970-01-01T00:00:00.000Z";
      const stands = "1970-01-02T00:00:00.000Z";
      yield* Storage.transact(Effect.andThen(snooze("iss_a", over), snooze("iss_b", stands)));
      yield* tidy;
      const left = yield* snoozes.list("User ada", "");
      assert.deepStrictEqual(
        left.map(({ itemId }) => itemId),
        ["iss_b"],
      );
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
    "[housekeeping.clock.lease] a lease that was given while the clock was a day ahead expires in its time",
    Effect.gen(function* () {
      const issue = yield* create({ assignedAgentId: "bot" });
      const [run] = (yield* ahead(day, heartbeat("bot"))).started;
      assert.isDefined(run);
      yield* tidy;
      yield* TestClock.adjust("4 minutes");
      assert.lengthOf((yield* heartbeat("bot")).started, 0);
      yield* TestClock.adjust("1 minute");
      assert.deepStrictEqual(
        (yield* heartbeat("bot")).started.map((started) => started.issue.id),
        [issue.id],
      );
    }),
  );

  check(
    "[housekeeping.clock.question] a question that was asked while the clock was a day ahead expires in its time",
    Effect.gen(function* () {
      const { id } = yield* create({ assignedAgentId: "bot" });
      const questions = yield* Questions.Questions;
      const input = { prompt: "Which?", expiresInSeconds: 60 };
      const { question } = yield* ahead(day, questions.ask(id, input));
      const statusOf = Effect.map(questions.get(question.id), ({ status }) => status);
      yield* TestClock.adjust("2 hours");
      yield* tidy;
      assert.strictEqual(yield* statusOf, "open");
      yield* TestClock.adjust("61 seconds");
      assert.strictEqual(yield* statusOf, "expired");
      assert.lengthOf((yield* heartbeat("bot")).started, 1);
    }),
  );

  check(
    "[housekeeping.clock.start] after a start with a clock a month ahead, housekeeping removes nothing by age for an hour",
    Effect.gen(function* () {
      const events = yield* EventStore.EventStore;
      const { issue } = yield* executing();
      const count = Effect.map(
        events.list({ projects: null, kinds: null }, { after: 0, until: 1e9, limit: 100 }),
        (rows) => rows.length,
      );
      const before = yield* count;
      const lines = yield* logged(ahead(31 * day, tidy));
      assert.match(lines.join(""), /removes nothing by age for an hour/);
      assert.include(yield* kinds(issue.id), "leaseExpired");
      assert.isAbove(yield* count, before);
      yield* TestClock.adjust("59 minutes");
      yield* ahead(31 * day, tidy);
      assert.isAbove(yield* count, before);
      yield* TestClock.adjust("1 minute");
      yield* ahead(31 * day, tidy);
      // The record of the expired lease has the timestamp of the fast clock.
      assert.isBelow(yield* count, before);
    }),
  );

  check(
    "[housekeeping.clock.behind] a start with a clock behind the newest stored change says so",
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-11-22T10:00:00.000Z"));
      yield* ahead(2 * day, create());
      assert.deepStrictEqual(yield* logged(tidy), [
        "The clock is 2d behind the newest stored change, or was ahead when it was stored: it is 2026-11-22T10:00:00.000Z; the newest change was stored at 2026-11-24T10:00:00.000Z. Check the clock. Times before that change are not in the order in which things happened.",
      ]);
    }),
  );

  check(
    "a clock that was set a month ahead removes nothing for an hour",
    Effect.gen(function* () {
      const events = yield* EventStore.EventStore;
      const { issue } = yield* executing();
      const newest = yield* events.lastSeq;
      const tidyAhead = ahead(31 * day, tidy);
      yield* tidy;
      yield* tidyAhead;
      yield* TestClock.adjust("59 minutes");
      yield* tidyAhead;
      assert.strictEqual(yield* events.lastSeq, newest);
      assert.notInclude(yield* kinds(issue.id), "leaseExpired");
      yield* TestClock.adjust("1 minute");
      yield* tidyAhead;
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
      // It runs in the background, and its steps may not be over yet.
      yield* Effect.repeat(kinds(issue.id), {
        until: (all) => all.at(-1) === "leaseExpired",
        times: 1_000,
      });
      yield* Fiber.interrupt(fiber);
      assert.strictEqual((yield* kinds(issue.id)).at(-1), "leaseExpired");
    }),
  );

  it.effect("the calls of a stopped node are recorded in small transactions", () => {
    const sizes: Array<number> = [];
    const storage = TestStorage.altered(ToolCallStore.ToolCallStore, ({ append }) => ({
      append: (calls) =>
        Effect.andThen(
          Effect.sync(() => sizes.push(calls.length)),
          append(calls),
        ),
    }));
    return Effect.gen(function* () {
      const { transact } = yield* Transactor.Transactor;
      const { admit, overdue } = yield* ToolCallStore.ToolCallStore;
      const calls = yield* Effect.replicateEffect(Fixtures.admittedCall(), 120);
      yield* transact(Effect.forEach(calls, admit));
      yield* TestClock.setTime(Date.parse(Fixtures.at(60)));
      yield* tidy;
      assert.deepStrictEqual(yield* overdue(Fixtures.at(60), 1), []);
      assert.isAtMost(Math.max(...sizes), 50);
    }).pipe(Effect.provide(TestCore.layerWith({ storage })));
  });

  it.effect("the effects of a stopped node are recorded in small transactions", () => {
    const sizes: Array<number> = [];
    const storage = TestStorage.altered(EffectStore.EffectStore, ({ overdue }) => ({
      overdue: (now, limit) =>
        Effect.tap(overdue(now, limit), (slots) => Effect.sync(() => sizes.push(slots.length))),
    }));
    return Effect.gen(function* () {
      const { transact } = yield* Transactor.Transactor;
      const { insert, overdue } = yield* EffectStore.EffectStore;
      const slots = yield* Effect.replicateEffect(Fixtures.effectSlot(), 120);
      yield* transact(Effect.forEach(slots, insert));
      yield* TestClock.setTime(Date.parse(Fixtures.at(60)));
      yield* tidy;
      assert.deepStrictEqual(yield* overdue(Fixtures.at(60), 1), []);
      assert.isAtMost(Math.max(...sizes), 50);
    }).pipe(Effect.provide(TestCore.layerWith({ storage })));
  });
});
