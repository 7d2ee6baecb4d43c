import { assert, describe } from "@effect/vitest";
import { Runs } from "@quartermaster/core";
import { Effect } from "effect";
import { TestClock } from "effect/testing";
import { check, create, executing, heartbeat } from "../support/World.ts";

const day = 86_400_000;

describe("Leases", () => {
  check(
    "expired runs end 50 per transaction",
    Effect.gen(function* () {
      const { endExpired } = yield* Runs.Runs;
      yield* Effect.forEach(Array.from({ length: 51 }), () => create({ assignedAgentId: "bot" }));
      yield* heartbeat("bot", { capacity: 50 });
      yield* heartbeat("bot", { capacity: 1 });
      yield* TestClock.adjust("5 minutes");
      assert.deepStrictEqual([yield* endExpired, yield* endExpired, yield* endExpired], [50, 1, 0]);
    }),
  );

  check(
    "a lease granted while the clock was a day ahead lasts its own length after the next heartbeat",
    Effect.gen(function* () {
      yield* TestClock.setTime(day);
      const { issue } = yield* executing("bot");
      yield* TestClock.setTime(0);
      assert.deepStrictEqual((yield* heartbeat("bot")).started, []);
      yield* TestClock.adjust("299 seconds");
      assert.deepStrictEqual((yield* heartbeat("bot")).started, []);
      yield* TestClock.adjust("1 second");
      const [picked] = (yield* heartbeat("bot")).started;
      assert.strictEqual(picked?.issue.id, issue.id);
    }),
  );
});
