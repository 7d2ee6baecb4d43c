import { assert, describe } from "@effect/vitest";
import { Issues, Links } from "@quartermaster/core";
import { Effect } from "effect";
import {
  check,
  create,
  executing,
  get,
  heartbeat,
  inStatus,
  kinds,
  link,
  moves,
  put,
  statuses,
  statusOf,
  turn,
  waiting,
} from "../support/World.ts";

/** One test for each row of the table of states in the contract. */
describe("Status, the law", () => {
  check(
    "[status.law.create-blocked] an issue that is created with a blocker waits and is linked",
    Effect.gen(function* () {
      const { blocker, issue } = yield* waiting();
      assert.strictEqual(issue.status, "WaitingOnDependency");
      assert.deepInclude(issue.links[0], {
        issueId: issue.id,
        targetIssueId: blocker.id,
        linkType: "BlockedBy",
        direction: "incoming",
      });
      assert.deepStrictEqual(yield* kinds(issue.id), ["created", "linked"]);
    }),
  );

  check(
    "[status.law.link-blocked-by] a BlockedBy link makes an issue wait, from any status",
    Effect.gen(function* () {
      for (const status of statuses) {
        const issue = yield* inStatus(status);
        const blocker = yield* create();
        yield* link(issue.id, "BlockedBy", blocker.id);
        assert.strictEqual(yield* statusOf(issue.id), "WaitingOnDependency", status);
      }
    }),
  );

  check(
    "[status.law.unlink-last] an issue without its last BlockedBy link is Open",
    Effect.gen(function* () {
      const links = yield* Links.Links;
      const { issue } = yield* waiting();
      const second = yield* link(issue.id, "BlockedBy", (yield* create()).id);
      yield* links.remove(second.id);
      assert.strictEqual(yield* statusOf(issue.id), "WaitingOnDependency");
      const [first] = (yield* get(issue.id)).links;
      yield* links.remove(first?.id ?? "");
      assert.strictEqual(yield* statusOf(issue.id), "Open");
      assert.deepStrictEqual(yield* moves(issue.id), ["WaitingOnDependency > Open: unlinked"]);
    }),
  );

  check(
    "[status.law.blocker-resolved] an issue whose blocker is resolved is Open and picked up next",
    Effect.gen(function* () {
      const { blocker, issue } = yield* waiting({ assignedAgentId: "bot" });
      yield* put(blocker.id, { status: "Resolved" });
      assert.strictEqual(yield* statusOf(issue.id), "Open");
      assert.deepStrictEqual(yield* moves(issue.id), [
        "WaitingOnDependency > Open: blockerResolved",
      ]);
      const { started } = yield* heartbeat("bot");
      assert.deepStrictEqual(
        started.map((run) => run.issue.id),
        [issue.id],
      );
    }),
  );

  check(
    "[status.law.pause] an issue that is paused during a run is Open, and the agent stops at its next turn",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const { issue, runId } = yield* executing();
      yield* issues.pause(issue.id);
      assert.deepInclude(yield* get(issue.id), { status: "Open", paused: true });
      assert.deepInclude(yield* turn(runId), { action: "stop", reason: "paused" });
    }),
  );

  check(
    "[status.law.resume] a resumed issue is InProgress and picked up next, by a new run",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const { issue, runId } = yield* executing();
      yield* issues.pause(issue.id);
      yield* turn(runId);
      yield* issues.resume(issue.id);
      assert.deepInclude(yield* get(issue.id), { status: "InProgress", paused: false });
      const { started } = yield* heartbeat("bot");
      assert.deepStrictEqual(
        started.map((run) => run.issue.id),
        [issue.id],
      );
      assert.notStrictEqual(started[0]?.runId, runId);
    }),
  );

  check(
    "[status.law.resolve] a PUT of Resolved resolves an issue, from any status",
    Effect.gen(function* () {
      for (const status of statuses) {
        const issue = yield* inStatus(status);
        assert.strictEqual((yield* put(issue.id, { status: "Resolved" })).status, "Resolved");
      }
    }),
  );

  check(
    "[status.law.close] a close closes an issue, from any status, unless dependents are open",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      for (const status of statuses) {
        const issue = yield* inStatus(status);
        assert.strictEqual((yield* issues.close(issue.id)).status, "Closed");
      }
      const { blocker, issue } = yield* waiting();
      const refusal = yield* Effect.flip(issues.close(blocker.id));
      assert.deepInclude(refusal, { _tag: "OpenDependents", dependents: [issue.id] });
      assert.strictEqual((yield* issues.close(blocker.id, { force: true })).status, "Closed");
    }),
  );
});
