import { assert, describe } from "@effect/vitest";
import { Issues } from "@quartermaster/core";
import { Effect } from "effect";
import { TestClock } from "effect/testing";
import { check, create, executing, heartbeat, inStatus, waiting } from "../support/World.ts";

const codes = Effect.fnUntraced(function* (id: string) {
  const issues = yield* Issues.Issues;
  const { ready, reasons } = yield* issues.readiness(id);
  return [ready, ...reasons.map(({ code }) => code)];
});

describe("Readiness", () => {
  check(
    "[readiness.codes] readiness reports notOpen, paused, blocked, unassigned and running",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      yield* heartbeat("bot");
      assert.deepStrictEqual(yield* codes((yield* create()).id), [false, "unassigned"]);
      const review = yield* inStatus("PendingReview", { assignedAgentId: "bot" });
      assert.deepStrictEqual(yield* codes(review.id), [false, "notOpen"]);
      const { issue: blocked } = yield* waiting({ assignedAgentId: "bot" });
      assert.deepStrictEqual(yield* codes(blocked.id), [false, "notOpen", "blocked"]);
      const { issue, runId } = yield* executing();
      assert.deepStrictEqual(yield* codes(issue.id), [false, "running"]);
      const { reasons } = yield* issues.readiness(issue.id);
      assert.include(reasons[0]?.detail, runId);
      yield* issues.pause(issue.id);
      assert.deepStrictEqual(yield* codes(issue.id), [false, "paused", "running"]);
    }),
  );

  check(
    "[readiness.silent] an issue stays ready when its agent has sent no heartbeat for 10 minutes",
    Effect.gen(function* () {
      const { id } = yield* create({ assignedAgentId: "bot" });
      assert.deepStrictEqual(yield* codes(id), [true, "agentSilent"]);
      yield* heartbeat("bot", { capacity: 0 });
      yield* TestClock.adjust("10 minutes");
      assert.deepStrictEqual(yield* codes(id), [true]);
      yield* TestClock.adjust("1 second");
      assert.deepStrictEqual(yield* codes(id), [true, "agentSilent"]);
    }),
  );
});
