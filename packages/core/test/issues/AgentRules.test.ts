import { assert, describe } from "@effect/vitest";
import { Comments, CurrentRun, Issues, Links, Runs } from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect, flow } from "effect";
import {
  type Call,
  check,
  create,
  executing,
  finish,
  get,
  heartbeat,
  inStatus,
  kinds,
  put,
  refusal,
  statuses,
  turn,
} from "../support/World.ts";

const bot = Callers.as(Callers.agent("bot"));
const eve = Callers.as(Callers.agent("eve"));

/** Calls with the agent's key in the context of the run. */
const acting = (runId: string, agentId = "bot") =>
  flow(
    Effect.provideService(CurrentRun.CurrentRun, { id: runId, agentId }),
    Callers.as(Callers.agent(agentId)),
  );

const later = "2030-01-01T00:00:00.000Z";

/**
 * Every change that an agent may not make during a pause or another agent's run, except a pause.
 */
const changes = (id: string) =>
  Effect.map(Issues.Issues, (issues): ReadonlyArray<Call> => [
    ...statuses.map((status) => put(id, { status })),
    put(id, { assignedAgentId: "eve" }),
    put(id, { assignedAgentId: null, title: "Another" }),
    put(id, { notBefore: later }),
    put(id, { notBefore: null }),
    issues.resume(id),
    issues.close(id),
    issues.close(id, { force: true }),
    issues.remove(id, { confirm: true }),
  ]);

const pause = (id: string) => Issues.Issues.use((issues) => issues.pause(id));
const resume = (id: string) => Issues.Issues.use((issues) => issues.resume(id));

const runs = Effect.map(
  Runs.Runs.use(({ list }) => list("bot")),
  ({ items }) => items,
);

/** The changes that an agent may always make, even if it may not change the status of the issue. */
const participates = Effect.fnUntraced(function* (id: string) {
  const comments = yield* Comments.Comments;
  const links = yield* Links.Links;
  const { id: other } = yield* create();
  yield* put(id, { title: "Another", status: null, priority: "high", assigneeUserId: "ada" });
  yield* comments.create(id, { content: "A word", authorType: "Agent" });
  yield* links.create(id, { linkType: "RelatedTo", targetIssueId: other });
});

describe("Changes by agents", () => {
  check(
    "[by-agent.paused] an agent changes neither status, agent nor deferral of a paused issue, and does not resume, close or delete it",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing("bot");
      yield* pause(issue.id);
      const before = yield* get(issue.id);
      for (const as of [bot, eve]) {
        for (const call of yield* changes(issue.id)) {
          assert.strictEqual((yield* refusal(as(call)))._tag, "Paused");
        }
      }
      for (const call of yield* changes(issue.id)) {
        const ended = { _tag: "RunEnded", runId, reason: "paused" };
        assert.deepInclude(yield* refusal(acting(runId)(call)), ended);
      }
      assert.deepStrictEqual(yield* get(issue.id), before);
      yield* bot(participates(issue.id));
      yield* turn(runId);
      assert.strictEqual((yield* refusal(bot(resume(issue.id))))._tag, "Paused");
      yield* resume(issue.id);
      yield* bot(put(issue.id, { status: "Resolved" }));
    }),
  );

  check(
    "[by-agent.paused] a pause after a failed run holds as well, and an agent's own pause",
    Effect.gen(function* () {
      const failed = yield* executing("bot");
      yield* finish(failed.runId, "failed");
      const own = yield* executing("bot");
      yield* acting(own.runId)(pause(own.issue.id));
      for (const { issue } of [failed, own]) {
        for (const call of yield* changes(issue.id)) {
          assert.strictEqual((yield* refusal(bot(call)))._tag, "Paused");
        }
      }
    }),
  );

  check(
    "[by-agent.held] an agent does not change, pause, close or delete an issue that another agent's live run holds",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing("bot");
      const held = { _tag: "Held", runId, agentId: "bot" };
      const before = yield* get(issue.id);
      for (const call of [...(yield* changes(issue.id)), pause(issue.id)]) {
        assert.deepInclude(yield* refusal(eve(call)), held);
      }
      assert.deepStrictEqual(yield* get(issue.id), before);
      yield* eve(participates(issue.id));
      yield* put(issue.id, { assignedAgentId: "eve" });
      assert.deepInclude(yield* refusal(eve(put(issue.id, { status: "Resolved" }))), held);
      assert.strictEqual((yield* turn(runId)).action, "stop");
      yield* eve(put(issue.id, { status: "Resolved" }));
    }),
  );

  check(
    "[by-agent.no-run] an agent sets InProgress only where its own run holds the issue",
    Effect.gen(function* () {
      const { issue } = yield* executing("bot");
      assert.deepInclude(yield* bot(put(issue.id, { status: "InProgress" })), {
        status: "InProgress",
        version: issue.version,
      });
      for (const status of statuses.filter((name) => name !== "PendingReview")) {
        const { id } = yield* inStatus(status, { assignedAgentId: "bot" });
        const before = yield* get(id);
        const call = bot(put(id, { title: "Another", status: "InProgress" }));
        assert.strictEqual((yield* refusal(call))._tag, "NoRun");
        assert.deepStrictEqual(yield* get(id), before);
      }
    }),
  );

  for (const [status, outcome, stopReason] of [
    ["PendingReview", "review", "statusChanged"],
    ["Resolved", "resolved", "resolved"],
    ["Open", "released", "statusChanged"],
  ] as const) {
    check(
      `[by-agent.hand-in] a PUT of ${status} by the agent whose run holds the issue finishes the run as ${outcome}`,
      Effect.gen(function* () {
        const failing = yield* executing("bot");
        yield* Runs.Runs.use(({ finish }) =>
          finish("bot", failing.runId, { outcome: "failed", retry: true }),
        );
        const { started } = yield* heartbeat("bot");
        const { id } = failing.issue;
        assert.strictEqual((yield* get(id)).attempts, 1);
        const runId = started[0]?.runId ?? "none";
        const updated = yield* acting(runId)(
          put(id, { status, title: "Done", assignedAgentId: "eve" }),
        );
        assert.deepInclude(updated, {
          status,
          title: "Done",
          assignedAgentId: "eve",
          attempts: 0,
          notBefore: null,
          paused: false,
        });
        assert.deepInclude((yield* runs)[0], { id: runId, status: "ended", outcome, stopReason });
        assert.deepStrictEqual((yield* kinds(id)).slice(-3), [
          "updated",
          "finished",
          "statusChanged",
        ]);
        const beat = yield* heartbeat("bot", { capacity: 0 });
        assert.deepStrictEqual(beat.stop, []);
        assert.deepInclude(yield* refusal(turn(runId)), { _tag: "RunEnded", reason: stopReason });
      }),
    );
  }

  check(
    "[by-agent.hand-in] a deferral in the same request applies after the hand-in",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing("bot");
      const updated = yield* acting(runId)(put(issue.id, { status: "Open", notBefore: later }));
      assert.deepInclude(updated, { status: "Open", notBefore: later });
      assert.strictEqual(updated.version, issue.version + 1);
      assert.deepInclude((yield* runs)[0], { id: runId, outcome: "released" });
    }),
  );

  check(
    "[by-agent.hand-in] an issue whose blocker was reopened waits for it after a PUT of Open",
    Effect.gen(function* () {
      const blocker = yield* create();
      const { id } = yield* create({ assignedAgentId: "bot", blockedByIssueId: blocker.id });
      yield* put(blocker.id, { status: "Resolved" });
      yield* heartbeat("bot");
      yield* put(blocker.id, { status: "Open" });
      assert.strictEqual((yield* bot(put(id, { status: "Open" }))).status, "WaitingOnDependency");
    }),
  );

  check(
    "[by-agent.hand-in.stopped] a run that was told to stop is not handed in by a PUT, and stops at its next turn",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing("bot");
      yield* put(issue.id, { assignedAgentId: "eve" });
      const before = yield* get(issue.id);
      for (const status of ["PendingReview", "Resolved", "Open"] as const) {
        const call = bot(put(issue.id, { status }));
        assert.deepInclude(yield* refusal(call), { _tag: "RunEnded", reason: "reassigned" });
      }
      assert.deepStrictEqual(yield* get(issue.id), before);
      assert.deepInclude(yield* turn(runId), { action: "stop", reason: "reassigned" });
    }),
  );

  check(
    "[by-agent.free] an agent changes, closes and deletes an issue that is neither paused nor held, and its own",
    Effect.gen(function* () {
      const free = statuses.filter((name) => name !== "InProgress" && name !== "PendingReview");
      for (const status of free) {
        const { id } = yield* inStatus(status);
        yield* eve(put(id, { notBefore: later }));
        yield* eve(put(id, { status: "Resolved", assignedAgentId: "eve" }));
        yield* Issues.Issues.use((issues) => eve(issues.close(id)));
        yield* Issues.Issues.use((issues) => eve(issues.remove(id, { confirm: true })));
      }
      const { issue, runId } = yield* executing("bot");
      yield* acting(runId)(Issues.Issues.use((issues) => issues.close(issue.id)));
      assert.deepInclude(yield* turn(runId), { action: "stop", reason: "closed" });
    }),
  );

  check(
    "[by-agent.people] a person may do all of it",
    Effect.gen(function* () {
      const paused = Effect.gen(function* () {
        const { issue } = yield* executing("bot");
        yield* pause(issue.id);
        return issue;
      });
      const held = Effect.map(executing("bot"), ({ issue }) => issue);
      for (const make of [paused, held]) {
        for (const [index] of (yield* changes("none")).entries()) {
          const { id } = yield* make;
          const call = (yield* changes(id))[index] ?? Effect.void;
          const result = yield* Effect.match(call, {
            onFailure: ({ _tag }) => _tag,
            onSuccess: () => "done",
          });
          // The remaining rules apply to every caller: no open blocker, and no pause.
          assert.include(["done", "Blocked", "NotPaused"], result);
        }
      }
    }),
  );
});
