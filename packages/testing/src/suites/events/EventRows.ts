import { assert } from "@effect/vitest";
import { type Event, EventStore, Transactor } from "@quartermaster/core";
import { Effect, Option } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import { transact } from "../../Storage.ts";
import { assertIds, ids, type It, texts } from "../../Suite.ts";

type Needs = EventStore.EventStore | Transactor.Transactor;

const any = { projects: null, kinds: null };

/** All events after `after` that exist when the effect runs. */
const since = (after: number) =>
  EventStore.EventStore.use((events) =>
    Effect.flatMap(events.lastSeq, (until) => events.list(any, { after, until, limit: 500 })),
  );

const append = (...overrides: ReadonlyArray<Partial<Event.EventRow>>) =>
  EventStore.EventStore.use((events) =>
    Effect.tap(Effect.forEach(overrides, Fixtures.eventRow), (rows) =>
      transact(events.append(rows)),
    ),
  );

const seqOf = (row: { readonly id: string }) =>
  EventStore.EventStore.use((events) => events.seqOf(row.id));

export const tests = (it: It<Needs>): void => {
  it.effect("append stores every field of events, in order, and assigns a growing seq", () =>
    Effect.gen(function* () {
      const events = yield* EventStore.EventStore;
      const before = yield* events.lastSeq;
      const rows = yield* append(
        {
          kind: "agent.registered",
          projectId: null,
          subjectId: "agent",
          actor: { type: "System", id: "quartermaster" },
          data: { list: [1, null, { deep: true }], none: null, float: 0.1 },
          createdAt: Fixtures.at(9.009),
        },
        { relatedProjectId: "related", createdAt: Fixtures.at(1) },
        { kind: "issue.deleted" },
      );
      yield* transact(events.append([]));
      const kept = yield* since(before);
      assert.deepStrictEqual(
        kept,
        rows.map((row, n) => ({ ...row, seq: kept[n]?.seq ?? 0 })),
      );
      assert.isTrue(kept.every((row, n) => row.seq > (kept[n - 1]?.seq ?? before)));
      for (const row of kept) {
        assert.deepStrictEqual(yield* seqOf(row), Option.some(row.seq));
      }
      assert.strictEqual(yield* events.lastSeq, kept.at(-1)?.seq);
      assert.deepStrictEqual(yield* seqOf({ id: "evt_unknown" }), Option.none());
    }),
  );

  it.effect.each(texts)("keeps the text %j in data", (text) =>
    Effect.gen(function* () {
      const events = yield* EventStore.EventStore;
      const before = yield* events.lastSeq;
      yield* append({ data: { [text]: [text] } });
      const [kept] = yield* since(before);
      assert.deepStrictEqual(kept?.data, { [text]: [text] });
    }),
  );

  it.effect("a transaction that rolls back stores no events", () =>
    Effect.gen(function* () {
      const events = yield* EventStore.EventStore;
      const transactor = yield* Transactor.Transactor;
      const before = yield* events.lastSeq;
      yield* Effect.exit(transactor.transact(Effect.andThen(append({}, {}), Effect.fail("no"))));
      assert.strictEqual(yield* events.lastSeq, before);
      const [row] = yield* append({});
      assertIds(ids(yield* since(before)), [row?.id]);
    }),
  );

  it.effect("seq grows in the order of commits: a reader at the end misses nothing", () =>
    Effect.gen(function* () {
      const events = yield* EventStore.EventStore;
      const transactor = yield* Transactor.Transactor;
      const before = yield* events.lastSeq;
      const appendThree = transactor.transact(
        Effect.gen(function* () {
          const first = yield* append({});
          yield* Effect.yieldNow;
          const rest = yield* append({}, {});
          yield* Effect.yieldNow;
          return [...first, ...rest];
        }),
      );
      const seen: Array<string> = [];
      let position = before;
      const catchUp = Effect.gen(function* () {
        const found = yield* since(position);
        seen.push(...ids(found));
        position = found.at(-1)?.seq ?? position;
      });
      yield* Effect.all(
        Array.from({ length: 20 }, () => Effect.all([catchUp, appendThree, catchUp])),
        { concurrency: "unbounded" },
      );
      yield* catchUp;
      const all = ids(yield* since(before));
      assert.lengthOf(all, 60);
      assert.sameMembers([...new Set(seen)], [...all]);
    }),
  );
};

export const prune = (it: It<Needs>): void => {
  it.effect("lastSeq is 0 without events", () =>
    Effect.gen(function* () {
      const events = yield* EventStore.EventStore;
      assert.strictEqual(yield* events.lastSeq, 0);
      assert.deepStrictEqual(yield* since(0), []);
    }),
  );

  it.effect("prune removes at most the given number of events created before the timestamp", () =>
    Effect.gen(function* () {
      const events = yield* EventStore.EventStore;
      const made = yield* append(
        ...[97, 98, 99.999, 100, 101].map((seconds) => ({ createdAt: Fixtures.at(seconds) })),
      );
      const stay = ids(made.slice(3));
      assert.strictEqual(yield* transact(events.prune(Fixtures.at(100), 2)), 2);
      assert.lengthOf(yield* since(0), 3);
      assert.strictEqual(yield* transact(events.prune(Fixtures.at(100), 2)), 1);
      assert.strictEqual(yield* transact(events.prune(Fixtures.at(100), 2)), 0);
      assert.deepStrictEqual(ids(yield* since(0)), stay);
      for (const row of made) {
        assert.strictEqual(Option.isSome(yield* seqOf(row)), stay.includes(row.id));
      }
    }),
  );

  it.effect("seq continues to grow after all events were pruned", () =>
    Effect.gen(function* () {
      const events = yield* EventStore.EventStore;
      yield* append({});
      const last = yield* events.lastSeq;
      yield* transact(events.prune(Fixtures.at(1_000_000), 500));
      assert.deepStrictEqual(yield* since(0), []);
      yield* append({});
      assert.isAbove(yield* events.lastSeq, last);
    }),
  );
};
