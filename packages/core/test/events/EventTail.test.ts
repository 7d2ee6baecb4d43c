import { assert, describe, it } from "@effect/vitest";
import { Errors, type Event, EventStore } from "@quartermaster/core";
import { Fixtures, SeededRandom } from "@quartermaster/testing";
import { Effect, Fiber, type Layer, Option, Queue, type Scope, Stream } from "effect";
import * as EventTail from "../../src/events/internal/EventTail.ts";
import { RecentEvents } from "../../src/events/internal/RecentEvents.ts";

const everything: EventStore.EventQuery = { projects: null, kinds: null };
const created: EventStore.EventQuery = { projects: null, kinds: ["issue.created"] };
const deleted: EventStore.EventQuery = { projects: null, kinds: ["issue.deleted"] };

const row = (seq: number, overrides: Partial<Event.EventRow> = {}) =>
  Effect.map(Fixtures.eventRow(overrides), (event): Event.EventRow => ({ ...event, seq }));

/** An event store to which the test adds rows. It counts the calls. */
const makeStore = Effect.gen(function* () {
  const rows: Array<Event.EventRow> = [];
  const bell = yield* Queue.unbounded<void>();
  const calls = {
    lastSeq: 0,
    lists: new Array<{ query: EventStore.EventQuery; after: number; until: number }>(),
  };
  const script = { last: 0, fails: false };
  const store = EventStore.EventStore.of({
    append: () => Effect.void,
    lastSeq: Effect.suspend(() => {
      calls.lastSeq += 1;
      return script.fails
        ? Effect.fail(new Errors.StorageError({ reason: "The disk is gone", isRetryable: true }))
        : Effect.succeed(Math.max(script.last, rows.at(-1)?.seq ?? 0));
    }),
    seqOf: () => Effect.succeed(Option.none()),
    list: (query, { after, limit, until }) =>
      Effect.sync(() => {
        calls.lists.push({ query, after, until });
        return rows
          .filter(
            ({ kind, seq }) => seq > after && seq <= until && (query.kinds?.includes(kind) ?? true),
          )
          .slice(0, limit);
      }),
    bell: Stream.fromQueue(bell),
    prune: () => Effect.succeed(0),
  });
  const add = Effect.fnUntraced(function* (...added: ReadonlyArray<Partial<Event.EventRow>>) {
    const first = Math.max(script.last, rows.at(-1)?.seq ?? 0) + 1;
    rows.push(...(yield* Effect.forEach(added, (overrides, n) => row(first + n, overrides))));
  });
  const prune = Effect.sync(() => {
    rows.length = 0;
  });
  return { store, add, calls, prune, script, ring: Queue.offer(bell, undefined) };
});

const take = (events: Stream.Stream<Event.Event, Errors.StorageError>, count: number) =>
  Effect.forkChild(Stream.runCollect(Stream.take(events, count)), { startImmediately: true });

/** Polls in real time until the condition holds. */
const until = (isSo: () => boolean) =>
  Effect.promise(async () => {
    while (!isSo()) {
      await new Promise<void>((resolve) => {
        setImmediate(resolve);
      });
    }
  });

/** A test that runs in real time. */
const test = (
  name: string,
  body: Effect.Effect<
    void,
    Errors.StorageError,
    Scope.Scope | Layer.Success<typeof SeededRandom.layer>
  >,
) => it.live(name, () => Effect.provide(Effect.scoped(body), SeededRandom.layer));

describe("EventTail", () => {
  const scene = Effect.gen(function* () {
    const world = yield* makeStore;
    return { ...world, tail: yield* EventTail.make(world.store) };
  });

  test(
    "the tail lets others run between two reads of many new events",
    Effect.gen(function* () {
      const { add, calls, ring, tail } = yield* scene;
      yield* take(tail.follow(deleted, undefined, 0), 1);
      yield* until(() => calls.lastSeq > 0);
      yield* add(...Array.from({ length: 8_000 }, () => ({ kind: "issue.created" as const })));
      yield* ring;
      let seen = 0;
      let most = 0;
      yield* until(() => {
        most = Math.max(most, calls.lists.length - seen);
        seen = calls.lists.length;
        return seen >= 8;
      });
      assert.isAtMost(most, 2);
    }),
  );

  test(
    "500 subscribers of an event cost one read of storage",
    Effect.gen(function* () {
      const { add, calls, ring, tail } = yield* scene;
      const fibers = yield* Effect.forEach(Array.from({ length: 500 }), () =>
        take(tail.follow(everything, undefined, 0), 1),
      );
      yield* until(() => calls.lastSeq > 0);
      const before = calls.lastSeq;
      yield* add({});
      yield* ring;
      yield* Effect.forEach(fibers, Fiber.join);
      assert.lengthOf(calls.lists, 1);
      assert.isAtMost(calls.lastSeq - before, 3);
    }),
  );

  test(
    "a node without subscribers does not read storage",
    Effect.gen(function* () {
      const { add, calls, ring, tail } = yield* scene;
      yield* add({});
      yield* ring;
      yield* tail.committed([yield* row(1)]);
      yield* Effect.sleep("600 millis");
      assert.deepStrictEqual(calls, { lastSeq: 0, lists: [] });
    }),
  );

  test(
    "a subscriber of the newest event starts at the table and continues in memory",
    Effect.gen(function* () {
      const { add, calls, ring, tail } = yield* scene;
      yield* add({ kind: "issue.created" }, { kind: "issue.deleted" }, { kind: "issue.created" });
      const seen: Array<string> = [];
      yield* tail.follow(created, undefined, 1).pipe(
        Stream.runForEach(({ kind }) => Effect.sync(() => seen.push(kind))),
        Effect.forkScoped,
      );
      yield* until(() => seen.length === 1);
      yield* add({ kind: "issue.deleted" }, { kind: "issue.created" });
      yield* ring;
      yield* until(() => seen.length === 2);
      assert.deepStrictEqual(
        calls.lists.map(({ after, query, until: to }) => [query, after, to]),
        [
          [created, 1, 3],
          [everything, 3, 5],
        ],
      );
    }),
  );

  test(
    "a subscriber that waits while others are served does not fall behind",
    Effect.gen(function* () {
      const { add, calls, ring, tail } = yield* scene;
      const rare = yield* take(tail.follow(deleted, undefined, 0), 1);
      yield* until(() => calls.lastSeq > 0);
      const mebibyte = "x".repeat(1024 * 1024);
      for (let n = 1; n <= 20; n++) {
        yield* add({ kind: "issue.created", data: { mebibyte } });
        yield* ring;
        yield* until(() => calls.lists.length === n);
      }
      yield* add({ kind: "issue.deleted" });
      yield* ring;
      assert.lengthOf(yield* Fiber.join(rare), 1);
      assert.isTrue(calls.lists.every(({ query }) => query.kinds === null));
    }),
  );

  test(
    "a subscriber far behind scans at most 10,000 events per query",
    Effect.gen(function* () {
      const { add, calls, script, tail } = yield* scene;
      yield* add({ kind: "issue.created" });
      script.last = 1_000_000;
      yield* add({ kind: "issue.deleted" });
      const [event] = yield* Fiber.join(yield* take(tail.follow(deleted, undefined, 1), 1));
      assert.strictEqual(event?.kind, "issue.deleted");
      const own = calls.lists.filter(({ query }) => query.kinds !== null);
      assert.lengthOf(own, 100);
      assert.isTrue(own.every(({ after, until: to }) => to - after <= 10_000));
    }),
  );

  test(
    "while storage cannot be read a stream waits, and misses nothing",
    Effect.gen(function* () {
      const { add, calls, ring, script, tail } = yield* scene;
      const fiber = yield* take(tail.follow(everything, undefined, 0), 2);
      yield* until(() => calls.lastSeq > 0);
      script.fails = true;
      yield* add({}, {});
      const before = calls.lastSeq;
      yield* ring;
      yield* until(() => calls.lastSeq > before);
      assert.isUndefined(fiber.pollUnsafe());
      script.fails = false;
      yield* ring;
      assert.lengthOf(yield* Fiber.join(fiber), 2);
    }),
  );
});

describe("A tail whose events storage has pruned", () => {
  test(
    "a new stream starts after them",
    Effect.gen(function* () {
      const { add, calls, prune, ring, store } = yield* makeStore;
      const tail = yield* EventTail.make(store);
      const open = yield* take(tail.follow(everything, undefined, yield* tail.now), 2);
      yield* until(() => calls.lastSeq > 1);
      yield* add({});
      yield* ring;
      yield* until(() => calls.lists.length > 0);
      yield* prune;
      const later = yield* take(tail.follow(everything, undefined, yield* tail.now), 1);
      assert.strictEqual(yield* tail.now, 1);
      assert.isUndefined(later.pollUnsafe());
      yield* Fiber.interruptAll([open, later]);
    }),
  );
});

describe("RecentEvents", () => {
  test(
    "retain the newest 10,000 events",
    Effect.gen(function* () {
      const recent = new RecentEvents();
      const one = yield* row(1);
      recent.startAt(0);
      const rows = Array.from({ length: 10_500 }, (_, n) => ({ ...one, seq: n + 1 }));
      recent.append(rows, 10_600);
      assert.deepStrictEqual([recent.floor, recent.head], [500, 10_600]);
      const { events, reached } = recent.read(500, () => true, 20_000);
      assert.deepStrictEqual([events.length, reached], [10_000, 10_600]);
      const page = recent.read(10_498, () => true, 1);
      assert.deepStrictEqual([page.events.length, page.reached], [1, 10_499]);
    }),
  );

  test(
    "retain at most 16 MiB",
    Effect.gen(function* () {
      const recent = new RecentEvents();
      const large = yield* row(1, { data: { text: "x".repeat(1024 * 1024) } });
      recent.startAt(0);
      for (let seq = 1; seq <= 20; seq++) recent.append([{ ...large, seq }], seq);
      assert.deepStrictEqual([recent.floor, recent.head], [5, 20]);
    }),
  );
});
