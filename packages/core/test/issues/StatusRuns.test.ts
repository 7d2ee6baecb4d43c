import { assert, describe } from "@effect/vitest";
import { Issues } from "@quartermaster/core";
import { Effect } from "effect";
import {
  check,
  create,
  executing,
  finish,
  get,
  heartbeat,
  inStatus,
  kinds,
  link,
  put,
  statuses,
  statusOf,
  turn,
  waiting,
} from "../support/World.ts";

/** A reopened blocker of an issue that has a live run. */
const executingBlocked = Effect.gen(function* () {
  const blocker = yield* inStatus("Resolved");
  const made = yield* create({ blockedByIssueId: blocker.id, assignedAgentId: "bot" });
  const { started } = yield* heartbeat("bot");
  yield* put(blocker.id, { status: "Open" });
  assert.strictEqual(yield* statusOf(made.id), "InProgress");
  return { blocker, id: made.id, runId: started[0]?.runId ?? "" };
});

describe("Status by pause, resume and runs", () => {
  check(
    "[status.pickup] an issue that is Open or InProgress, assigned and not paused, blocked or held is picked up",
    Effect.gen(function* () {
      for (const status of statuses) {
        const { id } = yield* inStatus(status, { assignedAgentId: status });
        const { started } = yield* heartbeat(status);
        const ready = status === "Open" || status === "InProgress";
        assert.deepStrictEqual(
          started.map(({ issue }) => [issue.id, issue.status]),
          ready ? [[id, "InProgress"]] : [],
        );
        assert.deepStrictEqual((yield* heartbeat(status)).started, []);
      }
      yield* create();
      yield* create({ assignedAgentId: "another" });
      assert.deepStrictEqual((yield* heartbeat("bot")).started, []);
    }),
  );

  check(
    "[status.pickup.blocked] an open blocker forbids a pick-up",
    Effect.gen(function* () {
      const { blocker, id, runId } = yield* executingBlocked;
      yield* Issues.Issues.use((issues) => issues.pause(id));
      yield* turn(runId);
      yield* put(id, { status: "Open" });
      assert.deepStrictEqual((yield* heartbeat("bot")).started, []);
      yield* put(blocker.id, { status: "Resolved" });
      assert.strictEqual((yield* heartbeat("bot")).started.length, 1);
    }),
  );

  check(
    "[status.pause.not-executing] only an issue that is InProgress can be paused",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      for (const status of statuses) {
        const { id } = yield* inStatus(status);
        const answer = yield* Effect.result(issues.pause(id));
        if (status === "InProgress") assert.strictEqual(answer._tag, "Success");
        else assert.deepInclude(yield* Effect.flip(issues.pause(id)), { issueStatus: status });
      }
    }),
  );

  check(
    "[status.pause.timeline] pause and resume are on the timeline",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const { id } = yield* inStatus("InProgress");
      yield* issues.pause(id);
      yield* issues.resume(id);
      assert.deepStrictEqual(
        (yield* kinds(id)).filter((kind) => kind !== "statusChanged"),
        ["created", "paused", "resumed"],
      );
    }),
  );

  check(
    "[status.pause.never-picked-up] a paused issue is never picked up, whatever its status",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const { issue, runId } = yield* executing();
      yield* issues.pause(issue.id);
      yield* turn(runId);
      assert.deepStrictEqual((yield* heartbeat("bot")).started, []);
      yield* link(issue.id, "BlockedBy", (yield* inStatus("Resolved")).id);
      assert.deepInclude(yield* get(issue.id), { status: "Open", paused: true });
      assert.deepStrictEqual((yield* heartbeat("bot")).started, []);
    }),
  );

  check(
    "[status.resume.not-paused] only a paused issue can be resumed",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      for (const status of statuses) {
        const { id } = yield* inStatus(status);
        const refusal = yield* Effect.flip(issues.resume(id));
        assert.deepInclude(refusal, { _tag: "NotPaused", issueStatus: status });
      }
    }),
  );

  check(
    "[status.resume.blocked] an open blocker forbids a resume",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const { issue } = yield* executing();
      yield* issues.pause(issue.id);
      const blocker = yield* create();
      yield* link(issue.id, "BlockedBy", blocker.id);
      const refusal = yield* Effect.flip(issues.resume(issue.id));
      assert.deepInclude(refusal, { _tag: "Blocked", blockers: [blocker.id] });
      yield* put(blocker.id, { status: "Resolved" });
      assert.deepInclude(yield* get(issue.id), { status: "Open", paused: true });
      assert.deepInclude(yield* issues.resume(issue.id), { status: "InProgress", paused: false });
    }),
  );

  check(
    "[status.resume.while-stopping] a resume works while the old run is stopping, and the new run starts after it",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const { issue, runId } = yield* executing();
      yield* issues.pause(issue.id);
      yield* issues.resume(issue.id);
      assert.deepStrictEqual((yield* heartbeat("bot")).started, []);
      assert.deepInclude(yield* turn(runId), { action: "stop", reason: "paused" });
      assert.strictEqual((yield* heartbeat("bot")).started.length, 1);
    }),
  );

  check(
    "[status.finish] each outcome of a finish sets its status",
    Effect.gen(function* () {
      for (const [outcome, status, paused] of [
        ["resolved", "Resolved", false],
        ["review", "PendingReview", false],
        ["released", "Open", false],
        ["failed", "Open", true],
      ] as const) {
        const { runId } = yield* executing(outcome);
        assert.deepInclude(yield* finish(runId, outcome, outcome), { status, paused });
      }
    }),
  );

  check(
    "[status.finish.blocked] a released or failed issue with an open blocker waits",
    Effect.gen(function* () {
      for (const [outcome, status, paused] of [
        ["resolved", "Resolved", false],
        ["review", "PendingReview", false],
        ["released", "WaitingOnDependency", false],
        ["failed", "WaitingOnDependency", true],
      ] as const) {
        const { runId } = yield* executingBlocked;
        assert.deepInclude(yield* finish(runId, outcome), { status, paused });
      }
    }),
  );

  check(
    "[status.finish.frees] a run that resolves its issue frees the dependents",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing();
      const dependent = yield* create({ blockedByIssueId: issue.id });
      yield* finish(runId, "resolved");
      assert.strictEqual(yield* statusOf(dependent.id), "Open");
    }),
  );

  check(
    "[status.reassign] a reassignment stops the run and leaves the status, and the new agent follows the old run",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing("bot");
      yield* put(issue.id, { assignedAgentId: "other" });
      assert.strictEqual(yield* statusOf(issue.id), "InProgress");
      assert.deepStrictEqual((yield* heartbeat("other")).started, []);
      assert.deepInclude(yield* turn(runId), { action: "stop", reason: "reassigned" });
      assert.strictEqual((yield* heartbeat("other")).started[0]?.issue.id, issue.id);
    }),
  );

  check(
    "[status.paused.cleared] resume, PUT of status and close clear a pause; automatic moves do not",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const paused = Effect.gen(function* () {
        const { issue } = yield* executing();
        return yield* issues.pause(issue.id);
      });
      assert.isFalse((yield* issues.close((yield* paused).id)).paused);
      assert.isFalse((yield* issues.resume((yield* paused).id)).paused);
      const { id } = yield* paused;
      const { blocker } = yield* waiting();
      yield* link(id, "BlockedBy", blocker.id);
      assert.deepInclude(yield* get(id), { status: "WaitingOnDependency", paused: true });
      yield* issues.close(blocker.id, { force: true });
      assert.deepInclude(yield* get(id), { status: "Open", paused: true });
      assert.isFalse((yield* put(id, { status: "Open" })).paused);
    }),
  );
});
