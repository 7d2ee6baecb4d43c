import { assert, describe } from "@effect/vitest";
import { EffectStore, Housekeeping } from "@quartermaster/core";
import { Callers, Fixtures, Storage } from "@quartermaster/testing";
import { Effect } from "effect";
import { TestClock } from "effect/testing";
import { check, create, put } from "../support/World.ts";

const { EffectStore: Effects } = EffectStore;

const tidy = Housekeeping.Housekeeping.use(({ once }) => once);

const get = (callId: string) =>
  Effects.use((effects) => Effect.flatMap(effects.get(callId), Effect.fromOption));

const stored = (overrides: Parameters<typeof Fixtures.effectSlot>[0]) =>
  Effect.flatMap(Fixtures.effectSlot(overrides), (slot) =>
    Effects.use((effects) => Effect.as(Storage.transact(effects.insert(slot)), slot.callId)),
  );

describe("The effects of an issue", () => {
  check(
    "[effects.cycle] a person who reopens the issue starts a new cycle, an agent does not",
    Effect.gen(function* () {
      const effects = yield* Effects;
      const { id: issueId } = yield* create({ assignedAgentId: "bot" });
      const cycle = Effect.map(
        Effect.flatMap(effects.issue(issueId), Effect.fromOption),
        ({ cycle }) => cycle,
      );
      yield* Storage.transact(effects.putIssue({ issueId, cycle: 1, salt: "salt" }));
      for (const [status, expected] of [
        ["PendingReview", 1],
        ["Open", 1],
        ["Resolved", 1],
        ["Open", 2],
        ["Closed", 2],
        ["Open", 3],
        ["Resolved", 3],
      ] as const) {
        yield* put(issueId, { status });
        assert.strictEqual(yield* cycle, expected, status);
      }
      yield* put(issueId, { status: "Open" }).pipe(Callers.as(Callers.agent("bot")));
      assert.strictEqual(yield* cycle, 3);
    }),
  );

  check(
    "[effects.housekeeping] a lost effect is recorded, and results go 7 days after the end of the issue",
    Effect.gen(function* () {
      const { id: issueId } = yield* create();
      const done = yield* stored({ issueId, state: "done", result: "sealed" });
      const sent = yield* stored({ issueId, until: new Date(30_000).toISOString() });
      yield* TestClock.adjust("29 seconds");
      yield* tidy;
      assert.strictEqual((yield* get(sent)).state, "sent");
      yield* TestClock.adjust("1 second");
      yield* tidy;
      const lost = yield* get(sent);
      assert.deepStrictEqual([lost.state, lost.endedAt], ["unknown", lost.until]);
      yield* put(issueId, { status: "Resolved" });
      yield* TestClock.adjust("6 days");
      yield* tidy;
      assert.strictEqual((yield* get(done)).result, "sealed");
      yield* TestClock.adjust("25 hours");
      yield* tidy;
      yield* TestClock.adjust("2 hours");
      yield* tidy;
      const wiped = yield* get(done);
      assert.deepStrictEqual([wiped.state, wiped.result], ["done", null]);
    }),
  );
});
