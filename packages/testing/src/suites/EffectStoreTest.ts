import { assert, describe } from "@effect/vitest";
import { type EffectSlot, EffectStore, IssueStore } from "@quartermaster/core";
import { Effect, type Layer, Option } from "effect";
import * as Fixtures from "../Fixtures.ts";
import { type Storage, transact } from "../Storage.ts";
import { block, type It, texts } from "../Suite.ts";

const { EffectStore: Effects } = EffectStore;

const stored = Effect.fnUntraced(function* (overrides: Partial<EffectSlot.EffectSlot> = {}) {
  const slot = yield* Fixtures.effectSlot(overrides);
  yield* Effects.use((effects) => transact(effects.insert(slot)));
  return slot;
});

const get = (callId: string) => Effects.use((effects) => effects.get(callId));

const slots = (it: It<Storage>): void => {
  it.effect("putIssue stores the state of an issue and replaces it", () =>
    Effect.gen(function* () {
      const effects = yield* Effects;
      const issueId = yield* Fixtures.id("iss");
      assert.deepStrictEqual(yield* effects.issue(issueId), Option.none());
      for (const cycle of [1, 2]) {
        const row = { issueId, cycle, salt: "salt" };
        yield* transact(effects.putIssue(row));
        assert.deepStrictEqual(yield* effects.issue(issueId), Option.some(row));
      }
    }),
  );

  it.effect.each(texts)("stores the text %j", (text) =>
    Effect.gen(function* () {
      const settled = { by: Fixtures.alice, at: Fixtures.at(9), note: text };
      const delivered = [{ runId: "run_1", at: Fixtures.at(8) }];
      const delivering = { runId: "run_1", until: Fixtures.at(9) };
      const texts = { name: text, summary: text, result: text, earlier: [text, "call_1"] };
      const slot = yield* stored({ ...texts, settled, delivered, delivering });
      assert.deepStrictEqual(yield* get(slot.callId), Option.some(slot));
    }),
  );

  it.effect("only the call that sent a slot last replaces it", () =>
    Effect.gen(function* () {
      const effects = yield* Effects;
      const slot = yield* stored({ state: "failed" });
      const again = { ...slot, callId: yield* Fixtures.id("call"), state: "sent" as const };
      assert.isTrue(yield* transact(effects.replace(slot.callId, again)));
      assert.isFalse(yield* transact(effects.replace(slot.callId, { ...slot, state: "done" })));
      assert.deepStrictEqual(yield* get(slot.callId), Option.none());
      assert.deepStrictEqual(yield* get(again.callId), Option.some(again));
    }),
  );

  it.effect("equal returns the slots of one identity by cycle and n", () =>
    Effect.gen(function* () {
      const effects = yield* Effects;
      const issueId = yield* Fixtures.id("iss");
      const identity = yield* Fixtures.id("hash");
      const third = yield* stored({ issueId, identity, cycle: 2, n: 1 });
      const second = yield* stored({ issueId, identity, cycle: 1, n: 10 });
      const first = yield* stored({ issueId, identity, cycle: 1, n: 9 });
      yield* stored({ issueId });
      yield* stored({ identity });
      assert.deepStrictEqual(yield* effects.equal(issueId, identity), [first, second, third]);
    }),
  );

  it.effect("list returns the newest slots of an issue", () =>
    Effect.gen(function* () {
      const effects = yield* Effects;
      const issueId = yield* Fixtures.id("iss");
      const old = yield* stored({ issueId, sentAt: Fixtures.at(1) });
      const newest = yield* stored({ issueId, sentAt: Fixtures.at(3) });
      const middle = yield* stored({ issueId, sentAt: Fixtures.at(2) });
      assert.deepStrictEqual(yield* effects.list(issueId, 9), [newest, middle, old]);
      assert.deepStrictEqual(yield* effects.list(issueId, 1), [newest]);
    }),
  );
};

const time = (it: It<Storage>): void => {
  it.effect("extend and overdue concern only slots that are sent", () =>
    Effect.gen(function* () {
      const effects = yield* Effects;
      const late = yield* stored({ until: Fixtures.at(20) });
      const early = yield* stored({ until: Fixtures.at(10) });
      const done = yield* stored({ until: Fixtures.at(5), state: "done" });
      assert.deepStrictEqual(yield* effects.overdue(Fixtures.at(9), 10), []);
      assert.deepStrictEqual(yield* effects.overdue(Fixtures.at(20), 10), [early, late]);
      assert.deepStrictEqual(yield* effects.overdue(Fixtures.at(20), 1), [early]);
      const ids = [early.callId, done.callId, "call_unknown"];
      assert.deepStrictEqual(yield* transact(effects.extend(ids, Fixtures.at(25))), [early.callId]);
      assert.deepStrictEqual(yield* effects.overdue(Fixtures.at(20), 10), [late]);
      assert.deepStrictEqual(yield* get(done.callId), Option.some(done));
    }),
  );
};

const ends = (it: It<Storage>): void => {
  const done = {
    state: "done",
    endedAt: Fixtures.at(7),
    delivering: { runId: "run_1", until: Fixtures.at(12) },
    result: "result",
    summary: "paid",
  } as const;

  it.effect("end ends a slot that is sent, or unknown and not settled, and no other one", () =>
    Effect.gen(function* () {
      const effects = yield* Effects;
      const { id: serverId } = yield* Fixtures.server();
      const settled = { by: Fixtures.alice, at: Fixtures.at(9), note: "Seen" };
      for (const [slot, mayEnd] of [
        [yield* stored({ serverId }), true],
        [yield* stored({ serverId, state: "unknown" }), true],
        [yield* stored({ serverId, state: "unknown", settled }), false],
        [yield* stored({ serverId, state: "done", settled }), false],
        [yield* stored({ serverId, state: "failed" }), false],
      ] as const) {
        assert.strictEqual(yield* transact(effects.end(slot.callId, done)), mayEnd);
        const ended = mayEnd ? { ...slot, ...done } : slot;
        assert.deepStrictEqual(yield* get(slot.callId), Option.some(ended));
      }
      assert.isFalse(yield* transact(effects.end("call_unknown", done)));
    }),
  );

  it.effect("end stores no text of a server that is no longer installed", () =>
    Effect.gen(function* () {
      const effects = yield* Effects;
      const slot = yield* stored({ serverId: "srv_gone" });
      assert.isTrue(yield* transact(effects.end(slot.callId, done)));
      const ended = { ...slot, ...done, result: null, summary: null };
      assert.deepStrictEqual(yield* get(slot.callId), Option.some(ended));
    }),
  );

  it.effect("deliver records the last delivery of a done slot to each run", () =>
    Effect.gen(function* () {
      const effects = yield* Effects;
      const text = { result: sealed, summary: "paid" };
      const { callId, ...slot } = yield* stored({
        state: "done",
        delivering: done.delivering,
        ...text,
      });
      const expected = Effect.fnUntraced(function* (
        delivered: EffectSlot.EffectSlot["delivered"],
        delivering: EffectSlot.Delivering | null,
      ) {
        const after = { ...slot, callId, delivered, delivering };
        assert.deepStrictEqual(yield* get(callId), Option.some(after));
      });
      const second = { runId: "run_2", at: Fixtures.at(8) };
      yield* transact(effects.deliver(callId, second.runId, second.at));
      yield* expected([second], done.delivering);
      yield* transact(effects.deliver(callId, "run_1", null));
      yield* expected([second], null);
      yield* transact(effects.deliver(callId, "run_1", Fixtures.at(9)));
      const first = { runId: "run_1", at: Fixtures.at(9) };
      yield* expected([second, first], null);
      yield* transact(effects.deliver(callId, second.runId, Fixtures.at(10)));
      yield* expected([first, { ...second, at: Fixtures.at(10) }], null);
      const unknown = yield* stored({ state: "unknown" });
      yield* transact(effects.deliver(unknown.callId, "run_1", Fixtures.at(9)));
      assert.deepStrictEqual(yield* get(unknown.callId), Option.some(unknown));
      yield* transact(effects.deliver("call_unknown", "run_1", Fixtures.at(9)));
    }),
  );
};

const sealed = JSON.stringify({ keyId: "key", nonce: "nonce", sealed: "sealed" });

const retention = (it: It<Storage>): void => {
  const resultOf = (callId: string) =>
    Effect.map(Effect.flatMap(get(callId), Effect.fromOption), ({ result }) => result);

  it.effect("notUnder pages through the results that are sealed under other keys", () =>
    Effect.gen(function* () {
      const effects = yield* Effects;
      const sealedUnder = (keyId: string) =>
        stored({ state: "done", result: JSON.stringify({ keyId, nonce: "n", sealed: "s" }) });
      const newest = yield* Fixtures.id("key");
      yield* sealedUnder(newest);
      yield* stored({ state: "done" });
      const older = [yield* sealedUnder("old"), yield* sealedUnder("older")];
      const ids = (after: string, limit: number) =>
        Effect.map(effects.notUnder(newest, after, limit), (slots) =>
          slots
            .map(({ callId }) => callId)
            .filter((callId) => older.some((s) => s.callId === callId)),
        );
      const expected = older.map(({ callId }) => callId).toSorted();
      const [first = "", second = ""] = expected;
      assert.deepStrictEqual(yield* ids("", 100), expected);
      assert.deepStrictEqual(yield* ids(first, 100), [second]);
      assert.lengthOf(yield* effects.notUnder(newest, "", 1), 1);
    }),
  );

  it.effect("wipeServer removes the results of one server and nothing else", () =>
    Effect.gen(function* () {
      const effects = yield* Effects;
      const serverId = yield* Fixtures.id("agent");
      const wiped = yield* stored({ serverId, state: "done", result: sealed, summary: "paid" });
      const settled = yield* stored({ serverId, state: "done", summary: "Seen" });
      const other = yield* stored({ state: "done", result: sealed });
      yield* transact(effects.wipeServer(serverId));
      assert.deepStrictEqual(
        yield* get(wiped.callId),
        Option.some({ ...wiped, result: null, summary: null }),
      );
      assert.deepStrictEqual(yield* get(settled.callId), Option.some(settled));
      assert.strictEqual(yield* resultOf(other.callId), sealed);
    }),
  );

  it.effect(
    "wipeResults removes results of issues that were resolved or closed before a time",
    () =>
      Effect.gen(function* () {
        const effects = yield* Effects;
        const of = Effect.fnUntraced(function* (
          resolvedAt: string | null,
          closedAt: string | null,
        ) {
          const { id } = yield* Fixtures.issue({ resolvedAt, closedAt });
          return (yield* stored({ issueId: id, state: "done", result: sealed })).callId;
        });
        const ended = [
          yield* of(Fixtures.at(1), null),
          yield* of(null, Fixtures.at(1)),
          yield* of(Fixtures.at(1), Fixtures.at(2)),
        ];
        const retained = [yield* of(null, null), yield* of(Fixtures.at(50), null)];
        const wipe = (limit: number) => transact(effects.wipeResults(Fixtures.at(50), limit));
        assert.strictEqual(yield* wipe(2), 2);
        assert.strictEqual(yield* wipe(2), 1);
        assert.strictEqual(yield* wipe(2), 0);
        for (const callId of ended) assert.isNull(yield* resultOf(callId));
        for (const callId of retained) assert.strictEqual(yield* resultOf(callId), sealed);
      }),
  );

  it.effect("the removal of an issue removes its effects and their cycle", () =>
    Effect.gen(function* () {
      const effects = yield* Effects;
      const issues = yield* IssueStore.IssueStore;
      const { id: issueId } = yield* Fixtures.issue();
      const slot = yield* stored({ issueId });
      const other = yield* stored();
      yield* transact(effects.putIssue({ issueId, cycle: 1, salt: "salt" }));
      yield* transact(issues.remove(issueId));
      assert.deepStrictEqual(yield* get(slot.callId), Option.none());
      assert.deepStrictEqual(yield* effects.issue(issueId), Option.none());
      assert.isTrue(Option.isSome(yield* get(other.callId)));
    }),
  );
};

/** The requirements of every `EffectStore`. */
export const suite = <E>(name: string, storage: Layer.Layer<Storage, E>): void => {
  describe(`EffectStore: ${name}`, () => {
    block("slots", storage, slots);
    block("time", storage, time);
    block("ends", storage, ends);
    block("retention", storage, retention);
  });
};
