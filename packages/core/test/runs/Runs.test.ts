import { assert, describe } from "@effect/vitest";
import { Agents, Comments, Issues, Runs } from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect } from "effect";
import { TestClock } from "effect/testing";
import {
  type Call,
  check,
  create,
  executing,
  finish,
  get,
  heartbeat,
  kinds,
  put,
  refusal,
  turn,
} from "../support/World.ts";

const at = (seconds: number) => new Date(seconds * 1_000).toISOString();
const reasonOf = (call: Call) => Effect.map(refusal(call), ({ _tag, reason }) => [_tag, reason]);

describe("Runs", () => {
  check(
    "[runs.heartbeat.order] a heartbeat starts resumed issues first, then by priority, then the oldest, up to capacity",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const { issue: resumed, runId } = yield* executing("bot", { priority: "low" });
      const make = (title: string, priority: "urgent" | "high" | "normal" | "low") =>
        create({ title, priority, assignedAgentId: "bot" });
      yield* make("low", "low");
      yield* make("normal 1", "normal");
      yield* make("urgent", "urgent");
      yield* make("normal 2", "normal");
      yield* make("high", "high");
      yield* issues.pause(resumed.id);
      yield* turn(runId);
      yield* issues.resume(resumed.id);
      assert.deepStrictEqual((yield* heartbeat("bot", { capacity: 0 })).started, []);
      const titles: Array<string> = [];
      for (const capacity of [null, 2, 50]) {
        const { started } = yield* heartbeat("bot", { capacity });
        titles.push(...started.map(({ issue }) => issue.title), "|");
      }
      const first = [resumed.title, "|", "urgent", "high", "|"];
      assert.deepStrictEqual(titles, [...first, "normal 1", "normal 2", "low", "|"]);
    }),
  );

  check(
    "[runs.heartbeat.answer] a heartbeat returns the runs that it started and renewed, and the runs to stop",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const kept = yield* executing();
      const stopped = yield* executing();
      yield* issues.pause(stopped.issue.id);
      const foreign = yield* executing("other");
      yield* TestClock.adjust("100 seconds");
      const runs = [kept.runId, kept.runId, foreign.runId, "run_none"];
      const answer = yield* heartbeat("bot", { runs, leaseSeconds: 60 });
      assert.deepStrictEqual(answer, {
        agentId: "bot",
        started: [],
        renewed: [{ runId: kept.runId, leaseExpiresAt: at(160) }],
        stop: [
          { runId: stopped.runId, issueId: stopped.issue.id, reason: "paused" },
          { runId: foreign.runId, issueId: null, reason: "unknown" },
          { runId: "run_none", issueId: null, reason: "unknown" },
        ],
        toolsRevision: "none",
      });
    }),
  );

  check(
    "[runs.stop.unacknowledged] a run that is listed in stop has not ended",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const { issue, runId } = yield* executing();
      yield* issues.pause(issue.id);
      yield* issues.resume(issue.id);
      for (let n = 0; n < 2; n++) {
        const { started, stop } = yield* heartbeat("bot", { runs: [runId] });
        assert.deepStrictEqual([started.length, stop.length], [0, 1]);
      }
      assert.deepStrictEqual(yield* reasonOf(finish(runId, "resolved")), ["RunEnded", "paused"]);
      assert.strictEqual((yield* heartbeat("bot")).started.length, 1);
    }),
  );

  check(
    "[runs.heartbeat.invalid] a heartbeat refuses a wrong capacity, lease or agent id",
    Effect.gen(function* () {
      for (const input of [
        { capacity: -1 },
        { capacity: 51 },
        { capacity: 1.5 },
        { leaseSeconds: 4 },
        { leaseSeconds: 86_401 },
      ]) {
        assert.strictEqual((yield* refusal(heartbeat("bot", input)))._tag, "InvalidRequest");
      }
      assert.strictEqual((yield* refusal(heartbeat("no/agent")))._tag, "InvalidRequest");
      const { items } = yield* Agents.Agents.use((agents) => agents.list());
      assert.deepStrictEqual(items, []);
    }),
  );

  check(
    "[runs.lease] a lease that expires frees the issue, and late turns and finishes are refused",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing();
      yield* TestClock.adjust("299 seconds");
      assert.deepStrictEqual((yield* heartbeat("bot")).started, []);
      yield* TestClock.adjust("1 second");
      const [next] = (yield* heartbeat("bot")).started;
      assert.strictEqual(next?.issue.id, issue.id);
      assert.deepStrictEqual(yield* reasonOf(turn(runId)), ["RunEnded", "leaseExpired"]);
      assert.deepStrictEqual(yield* reasonOf(finish(runId, "resolved")), [
        "RunEnded",
        "leaseExpired",
      ]);
      assert.deepInclude(yield* turn(next?.runId ?? ""), { action: "continue" });
      const list = yield* kinds(issue.id);
      assert.deepStrictEqual(
        list.filter((kind) => kind !== "statusChanged"),
        ["created", "pickedUp", "leaseExpired", "pickedUp"],
      );
    }),
  );

  check(
    "[runs.lease.no-revival] a heartbeat does not renew an expired lease",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing();
      yield* TestClock.adjust("5 minutes");
      const { renewed, stop } = yield* heartbeat("bot", { runs: [runId], capacity: 0 });
      assert.deepStrictEqual(renewed, []);
      assert.deepStrictEqual(stop, [{ runId, issueId: issue.id, reason: "leaseExpired" }]);
      assert.deepStrictEqual(yield* reasonOf(turn(runId)), ["RunEnded", "leaseExpired"]);
    }),
  );

  check(
    "[runs.turn.renews] each turn renews the lease by what the heartbeat asked",
    Effect.gen(function* () {
      yield* create({ assignedAgentId: "bot" });
      const { started } = yield* heartbeat("bot", { leaseSeconds: 10 });
      const runId = started[0]?.runId ?? "";
      for (let n = 0; n < 3; n++) {
        yield* TestClock.adjust("9 seconds");
        assert.deepStrictEqual(yield* turn(runId), {
          action: "continue",
          reason: null,
          toolsRevision: "none",
          comments: [],
          changes: [],
        });
      }
      yield* TestClock.adjust("10 seconds");
      assert.deepStrictEqual(yield* reasonOf(turn(runId)), ["RunEnded", "leaseExpired"]);
    }),
  );

  check(
    "[runs.turn.comments] a turn returns comments by others since the last turn, also with a stop",
    Effect.gen(function* () {
      const comments = yield* Comments.Comments;
      const issues = yield* Issues.Issues;
      const made = yield* create({ assignedAgentId: "bot" });
      const say = (content: string) => comments.create(made.id, { content, authorType: "User" });
      yield* say("before");
      const { started } = yield* heartbeat("bot");
      const runId = started[0]?.runId ?? "";
      const heard = Effect.map(turn(runId), (answer) =>
        answer.comments.map(({ content }) => content),
      );
      yield* say("one");
      yield* Callers.as(Callers.agent("bot"))(
        comments.create(made.id, { content: "mine", authorType: "Agent" }),
      );
      yield* Callers.as(Callers.agent("other"))(
        comments.create(made.id, { content: "two", authorType: "Agent" }),
      );
      assert.deepStrictEqual(yield* heard, ["one", "two"]);
      assert.deepStrictEqual(yield* heard, []);
      yield* say("three");
      yield* issues.pause(made.id);
      assert.deepStrictEqual(yield* heard, ["three"]);
    }),
  );

  check(
    "[runs.finish.comment] the comment of a finish is by the agent of the path, and a second finish is refused",
    Effect.gen(function* () {
      const [comments, runs] = [yield* Comments.Comments, yield* Runs.Runs];
      const { issue, runId } = yield* executing();
      yield* runs.finish("bot", runId, { outcome: "review", comment: "Look" });
      const { items } = yield* comments.list(issue.id);
      assert.deepInclude(items[0], { authorType: "Agent", authorId: "bot", content: "Look" });
      const again = runs.finish("bot", runId, { outcome: "resolved", comment: "Again" });
      assert.strictEqual((yield* refusal(again))._tag, "RunEnded");
      assert.deepInclude(yield* get(issue.id), { status: "PendingReview" });
      assert.lengthOf((yield* comments.list(issue.id)).items, 1);
      assert.strictEqual((yield* refusal(turn(runId)))._tag, "RunEnded");
    }),
  );

  check(
    "[runs.foreign] another agent's run and an unknown agent are not found",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing();
      assert.deepInclude(yield* refusal(turn(runId, "other")), { resource: "agent" });
      yield* heartbeat("other");
      assert.deepInclude(yield* refusal(turn(runId, "other")), {
        _tag: "NotFound",
        resource: "run",
      });
      const stolen = finish(runId, "resolved", "other");
      assert.deepInclude(yield* refusal(stolen), { _tag: "NotFound", resource: "run" });
      assert.deepInclude(yield* get(issue.id), { status: "InProgress" });
    }),
  );

  check(
    "[runs.once] of 100 concurrent heartbeats of one agent each issue is started once",
    Effect.gen(function* () {
      const ids: Array<string> = [];
      for (let n = 0; n < 20; n++) ids.push((yield* create({ assignedAgentId: "bot" })).id);
      const answers = yield* Effect.all(
        Array.from({ length: 100 }, () => heartbeat("bot", { capacity: 3 })),
        { concurrency: "unbounded" },
      );
      const started = answers.flatMap((answer) => answer.started.map(({ issue }) => issue.id));
      assert.deepStrictEqual(started.toSorted(), ids.toSorted());
    }),
  );

  check(
    "[runs.list] runs are listed newest first, by their current status",
    Effect.gen(function* () {
      const runs = yield* Runs.Runs;
      const issues = yield* Issues.Issues;
      const ended = yield* executing();
      yield* finish(ended.runId, "resolved");
      const lost = yield* executing();
      yield* TestClock.adjust("5 minutes");
      yield* put(lost.issue.id, { assignedAgentId: null });
      const stopping = yield* executing();
      yield* issues.pause(stopping.issue.id);
      const active = yield* executing();
      const list = (status?: "active" | "stopping" | "ended") =>
        Effect.map(runs.list("bot", { status }), ({ items }) => items.map(({ id }) => id));
      const all = [active.runId, stopping.runId, lost.runId, ended.runId];
      assert.deepStrictEqual(yield* list(), all);
      assert.deepStrictEqual(yield* list("active"), [active.runId]);
      assert.deepStrictEqual(yield* list("stopping"), [stopping.runId]);
      assert.deepStrictEqual(yield* list("ended"), [lost.runId, ended.runId]);
      const { items } = yield* runs.list("bot", { status: "ended" });
      assert.deepInclude(items[0], { status: "ended", outcome: null, endedAt: at(300) });
      assert.deepInclude(items[1], { status: "ended", outcome: "resolved", endedAt: at(0) });
      const { items: agents } = yield* Agents.Agents.use((service) => service.list());
      assert.deepInclude(agents[0], { id: "bot", activeRuns: 2, lastHeartbeatAt: at(300) });
      assert.strictEqual((yield* refusal(runs.list("nobody")))._tag, "NotFound");
    }),
  );
});
