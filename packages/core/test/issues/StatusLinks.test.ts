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
  link,
  moves,
  put,
  statuses,
  statusOf,
  turn,
  waiting,
} from "../support/World.ts";

describe("Status by links, close and deletion", () => {
  check(
    "[status.link.done-blocker] an issue that is linked to a done blocker passes through waiting to Open",
    Effect.gen(function* () {
      for (const done of ["Resolved", "Closed"] as const) {
        for (const from of statuses.filter((status) => status !== "WaitingOnDependency")) {
          const blocker = yield* inStatus(done);
          const issue = yield* inStatus(from);
          yield* link(issue.id, "BlockedBy", blocker.id);
          const cause = done === "Resolved" ? "blockerResolved" : "blockerClosed";
          assert.deepStrictEqual((yield* moves(issue.id)).slice(-2), [
            `${from} > WaitingOnDependency: linked`,
            `WaitingOnDependency > Open: ${cause}`,
          ]);
          const { closedAt, resolvedAt, status, version } = yield* get(issue.id);
          assert.deepStrictEqual([status, resolvedAt, closedAt], ["Open", null, null]);
          assert.strictEqual(version, issue.version + 2);
        }
      }
    }),
  );

  check(
    "[status.link.done-blocker.other-open] an issue that is linked to a done blocker waits while another blocker is open",
    Effect.gen(function* () {
      const { issue } = yield* waiting();
      yield* link(issue.id, "BlockedBy", (yield* inStatus("Resolved")).id);
      assert.deepStrictEqual(yield* moves(issue.id), []);
      assert.deepInclude(yield* get(issue.id), { status: "WaitingOnDependency", version: 1 });
    }),
  );

  check(
    "[status.link.done-blocker.executing] a link to a done blocker stops the run with the reason blocked",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing();
      yield* link(issue.id, "BlockedBy", (yield* inStatus("Closed")).id);
      assert.strictEqual(yield* statusOf(issue.id), "Open");
      assert.deepStrictEqual((yield* heartbeat("bot")).started, []);
      assert.deepInclude(yield* turn(runId), { action: "stop", reason: "blocked" });
    }),
  );

  check(
    "[status.link.reopens] a link to a done blocker reopens a Closed issue, and its dependents wait",
    Effect.gen(function* () {
      const { blocker: middle, issue: last } = yield* waiting();
      yield* Issues.Issues.use((issues) => issues.close(middle.id, { force: true }));
      assert.strictEqual(yield* statusOf(last.id), "Open");
      yield* link(middle.id, "BlockedBy", (yield* inStatus("Resolved")).id);
      assert.strictEqual(yield* statusOf(middle.id), "Open");
      assert.strictEqual(yield* statusOf(last.id), "WaitingOnDependency");
    }),
  );

  check(
    "[status.create.done-blocker] an issue that is created with a done blocker is Open at version 1",
    Effect.gen(function* () {
      const issue = yield* create({ blockedByIssueId: (yield* inStatus("Resolved")).id });
      assert.deepInclude(issue, { status: "Open", version: 1 });
      assert.deepStrictEqual(yield* get(issue.id), issue);
      assert.deepStrictEqual(yield* moves(issue.id), [
        "WaitingOnDependency > Open: blockerResolved",
      ]);
    }),
  );

  check(
    "[status.link.blocks] Blocks from A to B is BlockedBy from B to A",
    Effect.gen(function* () {
      const issue = yield* create();
      yield* link((yield* create()).id, "Blocks", issue.id);
      assert.strictEqual(yield* statusOf(issue.id), "WaitingOnDependency");
    }),
  );

  check(
    "[status.link.executing] a BlockedBy link makes an issue with a run wait, and stops the run with the reason blocked",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing();
      yield* link(issue.id, "BlockedBy", (yield* create()).id);
      assert.strictEqual(yield* statusOf(issue.id), "WaitingOnDependency");
      assert.deepInclude(yield* turn(runId), { action: "stop", reason: "blocked" });
    }),
  );

  check(
    "[status.link.others] RelatedTo and DuplicateOf change no status",
    Effect.gen(function* () {
      const [one, other] = [yield* create(), yield* create()];
      yield* link(one.id, "RelatedTo", other.id);
      yield* link(one.id, "DuplicateOf", other.id);
      assert.deepInclude(yield* get(one.id), { status: "Open", version: 1 });
      assert.deepInclude(yield* get(other.id), { status: "Open", version: 1 });
    }),
  );

  check(
    "[status.unlink.other-status] the removal of a link changes only the status WaitingOnDependency",
    Effect.gen(function* () {
      const links = yield* Links.Links;
      for (const status of ["Resolved", "Closed"] as const) {
        const { issue } = yield* waiting();
        yield* put(issue.id, { status });
        yield* links.remove(issue.links[0]?.id ?? "");
        assert.strictEqual(yield* statusOf(issue.id), status);
      }
    }),
  );

  check(
    "[status.unlink.done-remains] an issue is freed although links to done blockers remain",
    Effect.gen(function* () {
      const links = yield* Links.Links;
      const { issue } = yield* waiting();
      yield* link(issue.id, "BlockedBy", (yield* inStatus("Resolved")).id);
      yield* links.remove(issue.links[0]?.id ?? "");
      assert.strictEqual(yield* statusOf(issue.id), "Open");
    }),
  );

  check(
    "[status.close.idempotent] a close of a Closed issue succeeds, whatever its dependents",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const { blocker } = yield* waiting();
      const closed = yield* issues.close(blocker.id, { force: true });
      assert.deepStrictEqual(yield* issues.close(blocker.id), closed);
    }),
  );

  check(
    "[status.close.resolved] open dependents also forbid the close of a Resolved issue",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const { blocker, issue } = yield* waiting();
      yield* put(blocker.id, { status: "Resolved" });
      const refusal = yield* Effect.flip(issues.close(blocker.id));
      assert.deepInclude(refusal, { _tag: "OpenDependents", dependents: [issue.id] });
    }),
  );

  check(
    "[status.close.forced-frees] a forced close frees dependents without another open blocker",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const { blocker, issue } = yield* waiting();
      yield* issues.close(blocker.id, { force: true });
      assert.deepStrictEqual(yield* moves(issue.id), ["WaitingOnDependency > Open: blockerClosed"]);
    }),
  );

  check(
    "[status.close.executing] a close stops the run with the reason closed",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const { issue, runId } = yield* executing();
      yield* issues.close(issue.id);
      assert.deepInclude(yield* turn(runId), { action: "stop", reason: "closed" });
    }),
  );

  check(
    "[status.delete.frees] the deletion of a blocker frees dependents and removes its links",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const { blocker, issue } = yield* waiting();
      yield* issues.remove(blocker.id, { confirm: true });
      assert.deepInclude(yield* get(issue.id), { status: "Open", links: [] });
      assert.deepStrictEqual(yield* moves(issue.id), [
        "WaitingOnDependency > Open: blockerDeleted",
      ]);
    }),
  );

  check(
    "[status.delete.executing] a deletion stops the run with the reason deleted",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const { issue, runId } = yield* executing();
      yield* issues.remove(issue.id, { confirm: true });
      const { stop } = yield* heartbeat("bot", { runs: [runId] });
      assert.deepStrictEqual(stop, [{ runId, issueId: issue.id, reason: "deleted" }]);
      assert.deepInclude(yield* turn(runId), { action: "stop", reason: "deleted" });
    }),
  );
});
