import { assert, describe } from "@effect/vitest";
import { Issues } from "@quartermaster/core";
import { Effect } from "effect";
import { TestClock } from "effect/testing";
import {
  check,
  create,
  executing,
  get,
  inStatus,
  link,
  moves,
  put,
  statuses,
  statusOf,
  turn,
  waiting,
} from "../support/World.ts";

describe("Status by PUT", () => {
  check(
    "[status.initial] a new issue is Open, at version 1",
    Effect.gen(function* () {
      const issue = yield* create();
      assert.deepInclude(issue, { status: "Open", version: 1, paused: false, priority: "normal" });
      assert.deepInclude(issue, { startedAt: null, resolvedAt: null, closedAt: null });
    }),
  );

  check(
    "[status.put.resolved.frees] a PUT of Resolved frees dependents: without another open blocker become Open, others wait on",
    Effect.gen(function* () {
      const { blocker, issue } = yield* waiting();
      const twice = yield* create({ blockedByIssueId: blocker.id });
      yield* link(twice.id, "BlockedBy", (yield* create()).id);
      yield* put(blocker.id, { status: "Resolved" });
      assert.strictEqual(yield* statusOf(issue.id), "Open");
      assert.strictEqual(yield* statusOf(twice.id), "WaitingOnDependency");
    }),
  );

  check(
    "[status.put.closed] a PUT of Closed is a close without force",
    Effect.gen(function* () {
      const { blocker, issue } = yield* waiting();
      const refusal = yield* Effect.flip(put(blocker.id, { status: "Closed", title: "No" }));
      assert.deepInclude(refusal, { _tag: "OpenDependents", dependents: [issue.id] });
      assert.deepInclude(yield* get(blocker.id), {
        status: "Open",
        title: "A blocker",
        version: 1,
      });
      assert.strictEqual((yield* put(issue.id, { status: "Closed" })).status, "Closed");
      assert.strictEqual((yield* put(blocker.id, { status: "Closed" })).status, "Closed");
    }),
  );

  check(
    "[status.put.waiting.blocked] a PUT of WaitingOnDependency needs an open blocker",
    Effect.gen(function* () {
      for (const status of statuses.filter((status) => status !== "WaitingOnDependency")) {
        const issue = yield* inStatus(status);
        const refusal = yield* Effect.flip(put(issue.id, { status: "WaitingOnDependency" }));
        assert.deepInclude(refusal, { _tag: "Blocked", blockers: [] });
        assert.strictEqual(yield* statusOf(issue.id), status);
      }
      const { issue } = yield* waiting();
      yield* put(issue.id, { status: "Resolved" });
      const again = yield* put(issue.id, { status: "WaitingOnDependency" });
      assert.deepInclude(again, { status: "WaitingOnDependency", resolvedAt: null });
    }),
  );

  check(
    "[status.put.open.blocked] an open blocker forbids a PUT of Open, InProgress and PendingReview",
    Effect.gen(function* () {
      for (const status of ["Open", "InProgress", "PendingReview"] as const) {
        const { blocker, issue } = yield* waiting();
        const refusal = yield* Effect.flip(put(issue.id, { status }));
        assert.deepInclude(refusal, { _tag: "Blocked", blockers: [blocker.id] });
        yield* put(blocker.id, { status: "Resolved" });
        assert.strictEqual((yield* put(issue.id, { status })).status, status);
      }
    }),
  );

  check(
    "[status.put.any] a PUT sets Open, InProgress and PendingReview from any status, also from Closed",
    Effect.gen(function* () {
      for (const from of statuses.filter((status) => status !== "WaitingOnDependency")) {
        for (const status of ["Open", "InProgress", "PendingReview"] as const) {
          const issue = yield* inStatus(from);
          assert.strictEqual((yield* put(issue.id, { status })).status, status);
        }
      }
    }),
  );

  check(
    "[status.put.executing] a PUT of another status stops the run; InProgress changes nothing",
    Effect.gen(function* () {
      for (const [status, reason] of [
        ["Resolved", "resolved"],
        ["Closed", "closed"],
        ["Open", "statusChanged"],
        ["PendingReview", "statusChanged"],
      ] as const) {
        const { issue, runId } = yield* executing();
        assert.deepStrictEqual(yield* put(issue.id, { status: "InProgress" }), issue);
        assert.deepInclude(yield* turn(runId), { action: "continue" });
        yield* put(issue.id, { status });
        assert.deepInclude(yield* turn(runId), { action: "stop", reason });
      }
    }),
  );

  check(
    "[status.put.unpauses] a PUT of status ends the pause, also of the same status",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      for (const status of ["Open", "PendingReview"] as const) {
        const { issue } = yield* executing();
        yield* issues.pause(issue.id);
        assert.deepInclude(yield* put(issue.id, { title: "Paused" }), { paused: true });
        assert.deepInclude(yield* put(issue.id, { status }), { status, paused: false });
      }
    }),
  );

  check(
    "[status.timestamps] a status sets and clears startedAt, resolvedAt and closedAt",
    Effect.gen(function* () {
      const { id } = yield* create();
      const at = (seconds: number) => new Date(seconds * 1_000).toISOString();
      const step = Effect.fnUntraced(function* (status: (typeof statuses)[number]) {
        yield* TestClock.adjust("1 second");
        const { startedAt, resolvedAt, closedAt } = yield* put(id, { status });
        return [startedAt, resolvedAt, closedAt];
      });
      assert.deepStrictEqual(yield* step("InProgress"), [at(1), null, null]);
      assert.deepStrictEqual(yield* step("Resolved"), [at(1), at(2), null]);
      assert.deepStrictEqual(yield* step("Closed"), [at(1), at(2), at(3)]);
      assert.deepStrictEqual(yield* step("Resolved"), [at(1), at(4), null]);
      assert.deepStrictEqual(yield* step("InProgress"), [at(1), null, null]);
      assert.deepStrictEqual(yield* step("Closed"), [at(1), null, at(6)]);
      assert.deepStrictEqual(yield* step("Open"), [at(1), null, null]);
    }),
  );

  check(
    "[status.reopen] a reopened issue makes dependents wait again that are Open without a live run",
    Effect.gen(function* () {
      const blocker = yield* create();
      const open = yield* create({ blockedByIssueId: blocker.id });
      const review = yield* create({ blockedByIssueId: blocker.id });
      const held = yield* create({ blockedByIssueId: blocker.id });
      yield* put(blocker.id, { status: "Resolved" });
      yield* put(review.id, { status: "PendingReview" });
      yield* put(held.id, { assignedAgentId: "bot" });
      yield* executing("bot");
      yield* Issues.Issues.use((issues) => issues.pause(held.id));
      yield* put(blocker.id, { status: "PendingReview" });
      assert.strictEqual(yield* statusOf(open.id), "WaitingOnDependency");
      assert.strictEqual(yield* statusOf(review.id), "PendingReview");
      assert.strictEqual(yield* statusOf(held.id), "Open");
      assert.deepStrictEqual((yield* moves(open.id)).slice(1), [
        "Open > WaitingOnDependency: blockerReopened",
      ]);
    }),
  );
});
