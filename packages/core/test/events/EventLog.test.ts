import { assert, describe, it } from "@effect/vitest";
import {
  Agents,
  CoreOptions,
  Errors,
  EventLog,
  EventStore,
  Keys,
  Transactor,
} from "@quartermaster/core";
import { Callers, TestCore } from "@quartermaster/testing";
import { Context, Effect, Fiber, Layer, Schedule, Stream } from "effect";
import { TestClock } from "effect/testing";
import * as TestStorage from "../support/Storage.ts";
import { alice, check, checkWith, create, put } from "../support/World.ts";

const admin = Callers.as(Callers.user("root", { role: "Admin" }));

type Options = Parameters<(typeof EventLog.EventLog)["Service"]["subscribe"]>[0];

/** Subscribes to the next events. The subscription is active when this returns. */
const next = Effect.fnUntraced(function* (count: number, options?: Options) {
  const log = yield* EventLog.EventLog;
  const events = yield* log.subscribe(options);
  return yield* Effect.forkChild(Stream.runCollect(Stream.take(events, count)));
});

const kindsOf = Effect.fnUntraced(function* (count: number, options?: Options) {
  const fiber = yield* next(count, options);
  return Effect.map(Fiber.join(fiber), (events) => events.map(({ kind }) => kind));
});

const prune = Effect.gen(function* () {
  const { transact } = yield* Transactor.Transactor;
  return yield* transact((yield* EventLog.EventLog).prune(null));
});

describe("Events", () => {
  check(
    "[events.recent] recent lists the newest events that the caller may see, newest first",
    Effect.gen(function* () {
      const { recent } = yield* EventLog.EventLog;
      assert.deepStrictEqual(yield* recent(), []);
      const first = yield* create({}, "a");
      for (let n = 0; n < 300; n++) yield* create({}, "b");
      yield* put(first.id, { status: "Resolved" });
      const newest = yield* recent({ limit: 2 });
      assert.deepStrictEqual(
        newest.map(({ kind, projectId }) => [kind, projectId]),
        [
          ["issue.statusChanged", "a"],
          ["issue.created", "b"],
        ],
      );
      const filter = { projectId: "a", kinds: ["issue.*"] };
      const ofA = ["issue.statusChanged", "issue.created"];
      // The oldest one is beyond the first read.
      assert.deepStrictEqual(
        (yield* recent({ filter })).map(({ kind }) => kind),
        ofA,
      );
      const bound = Callers.as({ ...alice, projects: ["a"] });
      assert.deepStrictEqual(
        (yield* bound(recent())).map(({ kind }) => kind),
        ofA,
      );
      assert.deepStrictEqual(yield* bound(recent({ filter: { projectId: "b" } })), []);
      assert.strictEqual((yield* Effect.flip(recent({ limit: 101 })))._tag, "InvalidRequest");
      assert.strictEqual(
        (yield* Effect.flip(recent({ filter: { kinds: ["issue.unknown"] } })))._tag,
        "InvalidRequest",
      );
    }),
  );

  check(
    "[events.now] a stream starts now and emits each change once",
    Effect.gen(function* () {
      yield* create();
      const fiber = yield* next(2);
      const made = yield* create({ blockedByIssueId: null });
      yield* put(made.id, { status: "Resolved" });
      const [created, changed] = yield* Fiber.join(fiber);
      assert.deepInclude(created, {
        kind: "issue.created",
        projectId: "project",
        subjectId: made.id,
        actor: { type: "User", id: "alice" },
        createdAt: "1970-01-01T00:00:00.000Z",
      });
      assert.match(created?.id ?? "", /^evt_/);
      assert.deepInclude(changed, { kind: "issue.statusChanged" });
      assert.deepStrictEqual(changed?.data, { from: "Open", to: "Resolved", cause: "update" });
    }),
  );

  check(
    "[events.resume] go on after the last one seen, in pages, up to what is new",
    Effect.gen(function* () {
      const { id } = yield* create();
      const [first] = yield* Effect.flatMap(next(1), (fiber) =>
        Effect.andThen(put(id, { title: "0" }), Fiber.join(fiber)),
      );
      for (let n = 1; n <= 450; n++) yield* put(id, { title: String(n) });
      const fiber = yield* next(451, { afterId: first?.id });
      yield* put(id, { title: "451" });
      const titles = (yield* Fiber.join(fiber)).map(({ data }) => data["changes"]);
      assert.lengthOf(titles, 451);
      assert.deepStrictEqual(titles.at(-1), { title: { from: "450", to: "451" } });
    }),
  );

  check(
    "[events.since] a stream starts with the events of a time, wherever it is in the log",
    Effect.gen(function* () {
      const { id } = yield* create();
      for (let hour = 1; hour <= 20; hour++) {
        yield* TestClock.adjust("1 hour");
        yield* put(id, { title: String(hour) });
      }
      const titlesFrom = Effect.fnUntraced(function* (count: number, since: string) {
        const events = yield* Effect.flatMap(next(count, { since }), Fiber.join);
        return events.map(({ data }) => data["changes"]);
      });
      const all = yield* titlesFrom(21, "1969-01-01T00:00:00.000Z");
      assert.lengthOf(all, 21);
      assert.deepStrictEqual(yield* titlesFrom(20, "1970-01-01T00:00:30.000Z"), all.slice(1));
      assert.deepStrictEqual(yield* titlesFrom(3, "1970-01-01T18:00:00.000Z"), all.slice(-3));
      const fiber = yield* next(1, { since: "1970-01-01T20:00:30.000Z" });
      yield* TestClock.adjust("1 hour");
      yield* put(id, { title: "21" });
      assert.deepInclude((yield* Fiber.join(fiber))[0]?.data, {
        changes: { title: { from: "20", to: "21" } },
      });
    }),
  );

  checkWith(
    Layer.succeed(CoreOptions.CoreOptions, {
      ...CoreOptions.CoreOptions.defaultValue(),
      eventDays: 2,
    }),
    "[events.retention] events are retained for their days, and a pruned event cannot be resumed from",
    Effect.gen(function* () {
      const fiber = yield* next(1);
      yield* create();
      const [event] = yield* Fiber.join(fiber);
      yield* TestClock.adjust("2 days");
      assert.strictEqual(yield* prune, 0);
      yield* TestClock.adjust("1 second");
      assert.strictEqual(yield* prune, 1);
      const log = yield* EventLog.EventLog;
      for (const afterId of [event?.id, "evt_none", ""]) {
        const refused = yield* Effect.flip(log.subscribe({ afterId }));
        assert.strictEqual(refused._tag, "InvalidRequest");
      }
      const later = yield* next(1);
      yield* create();
      assert.lengthOf(yield* Fiber.join(later), 1);
    }),
  );

  check(
    "[events.filter] by project and by kinds; unknown kinds are refused",
    Effect.gen(function* () {
      const log = yield* EventLog.EventLog;
      const exact = yield* kindsOf(1, { filter: { kinds: ["issue.statusChanged"] } });
      const family = yield* kindsOf(2, { filter: { kinds: ["key.created", "issue.*"] } });
      const other = yield* next(1, { filter: { projectId: "other" } });
      const { id } = yield* create();
      yield* put(id, { status: "Closed" });
      const elsewhere = yield* create({}, "other");
      assert.deepStrictEqual(yield* exact, ["issue.statusChanged"]);
      assert.deepStrictEqual(yield* family, ["issue.created", "issue.statusChanged"]);
      assert.deepStrictEqual(
        (yield* Fiber.join(other)).map(({ subjectId }) => subjectId),
        [elsewhere.id],
      );
      for (const kinds of [["issue.made"], ["*"], ["issue"], ["issue.created", "x.*"]]) {
        const refused = yield* Effect.flip(log.subscribe({ filter: { kinds } }));
        assert.strictEqual(refused._tag, "InvalidRequest");
      }
    }),
  );

  check(
    "[events.admin] only unbound Admins get events of keys and agents",
    Effect.gen(function* () {
      const keys = yield* Keys.Keys;
      const agents = yield* Agents.Agents;
      const asked = { filter: { kinds: ["key.*", "agent.*", "issue.created"] } };
      const ofAdmin = yield* admin(kindsOf(4));
      const ofEditor = yield* kindsOf(1, asked);
      const bound = Callers.user("bob", { role: "Owner", projects: ["project"] });
      const ofBound = yield* Callers.as(bound)(kindsOf(1, asked));
      yield* admin(keys.create({ name: "A key", role: "Viewer" }));
      yield* admin(agents.put("bot"));
      yield* admin(agents.remove("bot"));
      yield* create();
      const all = ["key.created", "agent.registered", "agent.deleted", "issue.created"];
      assert.deepStrictEqual<unknown>(yield* ofAdmin, all);
      assert.deepStrictEqual(yield* ofEditor, ["issue.created"]);
      assert.deepStrictEqual(yield* ofBound, ["issue.created"]);
    }),
  );

  check(
    "[events.bound] a principal bound to projects gets only their events, whatever the filter",
    Effect.gen(function* () {
      const bob = Callers.as(Callers.user("bob", { projects: ["here"] }));
      const plain = yield* bob(next(1));
      const nothing = yield* bob(next(1, { filter: { projectId: "there" } }));
      yield* create({}, "there");
      const { id } = yield* create({}, "here");
      assert.strictEqual((yield* Fiber.join(plain))[0]?.subjectId, id);
      yield* Effect.yieldNow;
      assert.isUndefined(nothing.pollUnsafe());
      yield* Fiber.interrupt(nothing);
    }),
  );

  check(
    "[events.rolled-back] a change that rolls back emits no event",
    Effect.gen(function* () {
      const { transact } = yield* Transactor.Transactor;
      const store = yield* EventStore.EventStore;
      const before = yield* store.lastSeq;
      yield* Effect.exit(transact(Effect.andThen(create(), Effect.fail("no"))));
      assert.strictEqual(yield* store.lastSeq, before);
    }),
  );

  it.effect("[events.retry] a stream that failed continues at its position", () =>
    Effect.gen(function* () {
      const storage = yield* Layer.build(TestStorage.storage);
      const store = Context.get(storage, EventStore.EventStore);
      const failure = new Errors.StorageError({ reason: "It is busy.", isRetryable: true });
      let pages = 0;
      const flaky = EventStore.EventStore.of({
        ...store,
        list: (query, range) =>
          Effect.suspend(() => (++pages === 2 ? Effect.fail(failure) : store.list(query, range))),
      });
      const layer = TestCore.layerWith({
        storage: Layer.succeedContext(Context.add(storage, EventStore.EventStore, flaky)),
      });
      yield* Effect.gen(function* () {
        const events = yield* EventLog.EventLog.use((log) => log.subscribe());
        const ids: Array<string> = [];
        for (let n = 0; n < 250; n++) ids.push((yield* create()).id);
        // The stream starts behind the events, so it reads them from the table in two pages.
        const received = yield* events.pipe(
          Stream.retry(Schedule.recurs(1)),
          Stream.take(250),
          Stream.runCollect,
        );
        assert.deepStrictEqual(
          received.map(({ subjectId }) => subjectId),
          ids,
        );
        assert.isAbove(pages, 2);
      }).pipe(Callers.as(alice), Effect.provide(layer));
    }),
  );
});
