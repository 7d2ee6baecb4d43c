import { assert, describe } from "@effect/vitest";
import { Issues, Runs } from "@quartermaster/core";
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

  check(
    "[readiness.blockers] readiness names the open blockers and the roots of the chain",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const root = yield* create({ title: "Root", assignedAgentId: "ops" });
      const middle = yield* create({ title: "Middle", blockedByIssueId: root.id });
      const { id } = yield* create({ assignedAgentId: "bot", blockedByIssueId: middle.id });
      const { reasons } = yield* issues.readiness(id);
      const { data } = reasons.find(({ code }) => code === "blocked") ?? {};
      assert.deepStrictEqual(data, {
        blockers: [
          { id: middle.id, title: "Middle", status: "WaitingOnDependency", assignedAgentId: null },
        ],
        roots: [{ id: root.id, title: "Root", status: "Open", assignedAgentId: "ops" }],
      });
    }),
  );

  check(
    "[readiness.run] readiness names the run that holds the issue, and the run that died",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const runs = yield* Runs.Runs;
      const { issue, runId } = yield* executing();
      const dataOf = (code: string) =>
        Effect.map(
          issues.readiness(issue.id),
          ({ reasons }) => reasons.find((reason) => reason.code === code)?.data,
        );
      const { items } = yield* runs.list("bot");
      const { leaseExpiresAt, startedAt } = items[0] ?? assert.fail("The agent has no run");
      const run = { runId, agentId: "bot", startedAt, leaseExpiresAt };
      assert.deepStrictEqual(yield* dataOf("running"), { run });
      yield* TestClock.adjust("6 minutes");
      assert.deepStrictEqual(yield* codes(issue.id), [true, "leaseExpired"]);
      assert.deepStrictEqual(yield* dataOf("leaseExpired"), { run });
      yield* runs.endExpired;
      assert.deepStrictEqual(yield* dataOf("leaseExpired"), { run });
      yield* heartbeat("bot");
      assert.deepStrictEqual(yield* codes(issue.id), [false, "running"]);
    }),
  );
});
