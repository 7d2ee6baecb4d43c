import { assert, describe } from "@effect/vitest";
import {
  EventLog,
  Issues,
  Principal,
  Questions,
  type Run,
  Runs,
  Timestamp,
  Workers,
} from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect, Fiber, Stream } from "effect";
import { TestClock } from "effect/testing";
import { check, create, get, heartbeat, put, refusal } from "../support/World.ts";

const bot = Callers.as(Callers.agent("bot"));
const work = Workers.Workers;

const worker = (id: string, options: Partial<Workers.Worker> = {}): Workers.Worker => ({
  id,
  runId: null,
  isShared: false,
  ...options,
});

const one = worker("meta:one");
const two = worker("meta:two");
const shared = worker("key:1", { isShared: true });

const next = (who: Workers.Worker, options?: Workers.NextOptions) =>
  bot(work.use((workers) => workers.next("bot", who, options)));
const takeOver = (who: Workers.Worker, runId: string) =>
  bot(work.use((workers) => workers.takeOver("bot", who, runId)));
const acting = (who: Workers.Worker) =>
  Effect.map(bot(work.use((workers) => workers.acting("bot", who))), ({ run, several }) =>
    several.length > 0 ? several : (run?.id ?? null),
  );
const turn = (who: Workers.Worker, runId?: string) =>
  bot(work.use((workers) => workers.turn("bot", who, runId)));
const finish = (who: Workers.Worker, runId?: string, outcome: Run.RunOutcome = "review") =>
  bot(work.use((workers) => workers.finish("bot", who, { outcome }, runId)));
const renew = (who: Workers.Worker) => bot(work.use((workers) => workers.renew("bot", who)));
const notices = (who: Workers.Worker) => bot(work.use((workers) => workers.notices("bot", who)));

const issueFor = (input: object = {}) => create({ assignedAgentId: "bot", ...input });

/** The runs in a response without a run. */
const runIdsOf = (response: Workers.Next) =>
  response.run === null ? response.runs.map((run) => run.runId) : [];

/** Claims, and fails unless the claim starts a run. Returns the run. */
const claimed = Effect.fnUntraced(function* (who: Workers.Worker, options?: Workers.NextOptions) {
  const { run } = yield* next(who, options);
  return run ?? (yield* Effect.die("nothing was claimed"));
});

describe("Workers", () => {
  check(
    "[work.next] a worker claims an issue, and gets its live run again; another gets the next issue",
    Effect.gen(function* () {
      const first = yield* issueFor();
      const second = yield* issueFor();
      const run = yield* claimed(one);
      assert.deepInclude(run, { issueId: first.id, attempt: 1 });
      const now = yield* Timestamp.now;
      assert.strictEqual(run.leaseExpiresAt, Timestamp.addSeconds(now, 900));
      assert.deepStrictEqual(yield* claimed(one), run);
      assert.strictEqual((yield* claimed(two)).issueId, second.id);
    }),
  );

  check(
    "[work.next.once] calls of one worker at the same time start one run",
    Effect.gen(function* () {
      yield* issueFor();
      yield* issueFor();
      const both = yield* Effect.all([next(one), next(one)], { concurrency: 2 });
      assert.deepStrictEqual(both[0].run, both[1].run);
      const keys = yield* Effect.all([next(shared), next(shared)], { concurrency: 2 });
      assert.strictEqual(keys.filter(({ run }) => run !== null).length, 1);
    }),
  );

  check(
    "[work.next.shared] a worker that is only a key is busy while it holds a run, unless it resumes",
    Effect.gen(function* () {
      yield* issueFor();
      yield* issueFor();
      const run = yield* claimed(shared);
      const busy = yield* next(shared);
      const now = yield* Timestamp.now;
      const runs = [{ ...run, startedAt: now, lastSeenAt: now }];
      assert.deepInclude(busy, { run: null, reason: "busy", runs });
      assert.deepStrictEqual(yield* next(shared, { resume: true }), { run, started: null });
    }),
  );

  check(
    "[work.next.nothing] without an issue there is nothing, and a deferred issue says when to ask again",
    Effect.gen(function* () {
      yield* heartbeat("bot");
      assert.deepInclude(yield* next(one), { run: null, reason: "nothing", runs: [] });
      const now = yield* Timestamp.now;
      yield* issueFor({ notBefore: Timestamp.addSeconds(now, 90) });
      assert.deepInclude(yield* next(one), { reason: "notBefore", retryAfterSeconds: 90 });
      yield* TestClock.adjust("90 seconds");
      yield* claimed(one);
    }),
  );

  check(
    "[work.next.awaiting] an issue that waits for an answer is a reason, and the answer rings the bell",
    Effect.gen(function* () {
      const { id } = yield* issueFor();
      const questions = yield* Questions.Questions;
      const before = yield* questions.ask(id, { prompt: "Which slates?" });
      assert.deepInclude(yield* next(one), { run: null, reason: "awaitingAnswer" });
      const listener = yield* work.use((workers) => workers.listen("bot"));
      const waiter = yield* Effect.forkChild(listener.wait(60_000));
      const answered = yield* questions.answer(before.question.id, { answer: "Blue" });
      yield* Fiber.join(waiter);
      const run = yield* claimed(one);
      const closedFor = bot(questions.closedFor(id, run.runId));
      assert.deepStrictEqual(yield* closedFor, [answered]);
      const { question } = yield* questions.ask(id, { prompt: "Which nails?" });
      yield* questions.withdraw(question.id);
      assert.deepStrictEqual(
        (yield* closedFor).map(({ status }) => status),
        ["answered", "withdrawn"],
      );
    }).pipe(Effect.scoped),
  );

  check(
    "[work.next.project] a worker may claim in one project only, and none that its key may not see",
    Effect.gen(function* () {
      yield* issueFor();
      const other = yield* create({ assignedAgentId: "bot" }, "other");
      assert.strictEqual((yield* claimed(one, { projectId: "other" })).issueId, other.id);
      assert.deepInclude(yield* next(two, { projectId: "third" }), { reason: "nothing" });
      const bound = Callers.as({ ...Principal.agent("bot"), projects: ["other"] });
      const refused = yield* refusal(
        bound(work.use((workers) => workers.next("bot", two, { projectId: "project" }))),
      );
      assert.deepInclude(refused, { _tag: "NotFound", resource: "project" });
    }),
  );

  check(
    "[work.next.header] a worker of one run claims nothing, also once that run has ended",
    Effect.gen(function* () {
      yield* issueFor();
      yield* issueFor();
      const [started] = (yield* heartbeat("bot")).started;
      const own = worker("run", { runId: started?.runId ?? "" });
      assert.strictEqual((yield* claimed(own)).runId, started?.runId);
      yield* finish(own);
      assert.deepInclude(yield* next(own), { run: null, reason: "runEnded" });
    }),
  );

  check(
    "[work.renew] a call renews the lease by what the run started with, at most every 10 seconds",
    Effect.gen(function* () {
      yield* issueFor();
      const { leaseExpiresAt } = yield* claimed(one, { leaseSeconds: 60 });
      yield* TestClock.adjust("9 seconds");
      assert.deepStrictEqual(yield* renew(one), [60]);
      assert.strictEqual((yield* claimed(one)).leaseExpiresAt, leaseExpiresAt);
      yield* TestClock.adjust("1 second");
      yield* renew(one);
      const renewed = (yield* claimed(one)).leaseExpiresAt;
      assert.strictEqual(renewed, Timestamp.addSeconds(leaseExpiresAt, 10));
      yield* renew(two);
      for (let minute = 0; minute < 10; minute++) {
        yield* TestClock.adjust("55 seconds");
        yield* renew(one);
      }
      assert.strictEqual((yield* turn(one)).action, "continue");
    }),
  );

  check(
    "[work.renew.short] the short lease of a heartbeat's run is renewed in time",
    Effect.gen(function* () {
      yield* issueFor();
      const [started] = (yield* heartbeat("bot", { leaseSeconds: 9 })).started;
      const own = worker("run", { runId: started?.runId ?? "" });
      for (let i = 0; i < 5; i++) {
        yield* renew(own);
        yield* TestClock.adjust("4 seconds");
      }
      assert.strictEqual((yield* turn(own)).action, "continue");
    }),
  );

  check(
    "[work.lost.header] the worker of one run is notified of a lost lease until a turn acknowledges it",
    Effect.gen(function* () {
      const { id } = yield* issueFor();
      const [started] = (yield* heartbeat("bot")).started;
      const runId = started?.runId ?? "";
      const own = worker("run", { runId });
      yield* renew(own);
      yield* TestClock.adjust("301 seconds");
      yield* put(id, { title: "Another" });
      assert.deepStrictEqual(yield* notices(own), [{ runId, issueId: id, reason: "leaseExpired" }]);
      assert.strictEqual((yield* turn(own)).action, "stop");
      assert.deepStrictEqual(yield* notices(own), []);
    }),
  );

  check(
    "[work.lost.header] it is notified without a call before, also once another run holds the issue, until a turn",
    Effect.gen(function* () {
      const { id } = yield* issueFor();
      const [first] = (yield* heartbeat("bot", { leaseSeconds: 5 })).started;
      const runId = first?.runId ?? "";
      const own = worker(`run:${runId}`, { runId });
      yield* TestClock.adjust("6 seconds");
      const [second] = (yield* heartbeat("bot")).started;
      assert.strictEqual(second?.issue.id, id);
      const lost = [{ runId, issueId: id, reason: "leaseExpired" as const }];
      assert.deepStrictEqual(yield* notices(own), lost);
      assert.deepStrictEqual(yield* notices(own), lost);
      const turn = Runs.Runs.use((runs) => runs.turn("bot", runId));
      assert.deepInclude(yield* refusal(turn), { _tag: "RunEnded", runId, reason: "leaseExpired" });
      assert.deepStrictEqual(yield* notices(own), []);
    }),
  );

  check(
    "[work.stop] a run that was told to stop is not renewed, and noticed until a turn acknowledges it",
    Effect.gen(function* () {
      const { id } = yield* issueFor();
      const { leaseExpiresAt, runId } = yield* claimed(one);
      assert.deepStrictEqual(yield* notices(one), []);
      yield* Issues.Issues.use((issues) => issues.pause(id));
      assert.deepStrictEqual(yield* notices(one), [{ runId, issueId: id, reason: "paused" }]);
      yield* TestClock.adjust("1 minute");
      assert.deepStrictEqual(yield* renew(one), []);
      assert.deepInclude(yield* next(one), { run: null, reason: "runEnded" });
      const [held] = yield* bot(work.use((workers) => workers.ofAgent("bot")));
      assert.deepInclude(held, { runId, leaseExpiresAt });
      assert.deepInclude(yield* turn(one), { action: "stop", reason: "paused" });
      assert.deepStrictEqual(yield* notices(one), []);
      assert.strictEqual((yield* refusal(turn(one)))._tag, "NoRun");
    }),
  );

  for (const recorded of [true, false]) {
    check(
      `[work.lost] a lost lease that is ${recorded ? "" : "not "}recorded is noticed until a turn acknowledges it`,
      Effect.gen(function* () {
        const { id } = yield* issueFor();
        const { runId } = yield* claimed(one);
        yield* TestClock.adjust("901 seconds");
        if (recorded) yield* put(id, { title: "Another" });
        assert.deepStrictEqual(yield* notices(one), [
          { runId, issueId: id, reason: "leaseExpired" },
        ]);
        assert.deepInclude(yield* turn(one), { action: "stop", reason: "leaseExpired" });
        assert.deepStrictEqual(yield* notices(one), []);
        assert.strictEqual((yield* get(id)).attempts, 1);
      }),
    );
  }

  check(
    "[work.lost.next] the claim of the next issue acknowledges a lost lease",
    Effect.gen(function* () {
      yield* issueFor();
      const lost = yield* claimed(one);
      yield* TestClock.adjust("901 seconds");
      const run = yield* claimed(one);
      assert.deepInclude(run, { issueId: lost.issueId, attempt: 2 });
      assert.deepStrictEqual(yield* notices(one), []);
      assert.strictEqual((yield* turn(one)).action, "continue");
    }),
  );

  check(
    "[work.held] a turn and a finish that name another worker's run are refused; another agent's is not found",
    Effect.gen(function* () {
      yield* issueFor();
      const { runId } = yield* claimed(one);
      const held = { _tag: "Held", runId, agentId: "bot" };
      assert.deepInclude(yield* refusal(turn(two, runId)), held);
      assert.deepInclude(yield* refusal(finish(two, runId)), held);
      assert.deepInclude(yield* refusal(turn(two)), { _tag: "NoRun", runIds: [runId] });
      yield* heartbeat("other");
      const foreign = Callers.as(Callers.agent("other"))(
        work.use((workers) => workers.turn("other", one, runId)),
      );
      assert.deepInclude(yield* refusal(foreign), { _tag: "NotFound", resource: "run" });
      assert.strictEqual((yield* turn(one)).runId, runId);
      assert.strictEqual((yield* finish(one)).status, "PendingReview");
      assert.strictEqual((yield* refusal(finish(one, runId)))._tag, "RunEnded");
      assert.strictEqual((yield* refusal(finish(one)))._tag, "NoRun");
    }),
  );

  check(
    "[work.take-over] a worker takes a run over once its holder has been silent for 60 seconds",
    Effect.gen(function* () {
      const { id } = yield* issueFor();
      const { runId } = yield* claimed(one, { leaseSeconds: 600 });
      assert.deepInclude(yield* next(two), { reason: "nothing" });
      assert.deepStrictEqual(runIdsOf(yield* next(two)), [runId]);
      yield* TestClock.adjust("59 seconds");
      const busy = yield* takeOver(two, runId);
      assert.deepInclude(busy, { run: null, reason: "busy", retryAfterSeconds: 1 });
      yield* TestClock.adjust("1 second");
      const { run } = yield* takeOver(two, runId);
      assert.deepInclude(run, { issueId: id, attempt: 1 });
      assert.notStrictEqual(run?.runId, runId);
      assert.deepInclude(yield* get(id), { status: "InProgress", attempts: 0, notBefore: null });
      // The old holder is fenced and learns the reason; the taker goes on.
      assert.strictEqual(yield* acting(one), runId);
      assert.deepStrictEqual(yield* notices(one), [{ runId, issueId: id, reason: "takenOver" }]);
      assert.deepInclude(yield* turn(one), { action: "stop", reason: "takenOver" });
      assert.strictEqual((yield* turn(two)).runId, run?.runId);
      assert.deepInclude(yield* refusal(takeOver(two, runId)), {
        _tag: "RunEnded",
        reason: "takenOver",
      });
    }),
  );

  check(
    "[work.take-over.events] a takeover is an event, and both runs are in the timeline",
    Effect.gen(function* () {
      const log = yield* EventLog.EventLog;
      const { id } = yield* issueFor();
      const { runId } = yield* claimed(one);
      const events = yield* log.subscribe({ filter: { kinds: ["run.*"] } });
      const first = yield* Effect.forkChild(Stream.runCollect(Stream.take(events, 1)));
      const { run } = yield* takeOver(one, runId);
      assert.deepInclude((yield* Fiber.join(first))[0], {
        kind: "run.takenOver",
        projectId: "project",
        subjectId: runId,
        data: { issueId: id, agentId: "bot", newRunId: run?.runId },
      });
      const { items } = yield* Issues.Issues.use((issues) => issues.activity(id));
      assert.deepStrictEqual(
        items.slice(-2).map(({ data, kind }) => [kind, data["runId"]]),
        [
          ["stopped", runId],
          ["pickedUp", run?.runId],
        ],
      );
    }),
  );

  check(
    "[work.take-over.own] a worker whose id is not shared takes its own run over immediately, and is not fenced",
    Effect.gen(function* () {
      yield* issueFor();
      const { runId } = yield* claimed(one);
      const { run } = yield* takeOver(one, runId);
      assert.notStrictEqual(run?.runId, runId);
      assert.deepStrictEqual(yield* notices(one), []);
      assert.strictEqual(yield* acting(one), run?.runId);
      const key = yield* refusal(takeOver(one, "run_none"));
      assert.deepInclude(key, { _tag: "NotFound", resource: "run" });
      const named = worker(`run:${run?.runId}`, { runId: run?.runId ?? "" });
      assert.strictEqual((yield* refusal(takeOver(named, runId)))._tag, "InvalidRequest");
    }),
  );

  check(
    "[work.take-over.busy] a worker that holds another run takes none over, and a stopped run is not taken over",
    Effect.gen(function* () {
      const { id } = yield* issueFor();
      yield* issueFor();
      const lost = yield* claimed(one);
      const own = yield* claimed(two);
      yield* TestClock.adjust("61 seconds");
      const busy = yield* takeOver(two, lost.runId);
      assert.deepInclude(busy, { run: null, reason: "busy" });
      assert.deepStrictEqual(runIdsOf(busy), [own.runId]);
      yield* finish(two);
      yield* Issues.Issues.use((issues) => issues.pause(id));
      assert.deepInclude(yield* refusal(takeOver(two, lost.runId)), {
        _tag: "RunEnded",
        reason: "paused",
      });
    }),
  );

  check(
    "[work.fence] a stop fences a worker until it acknowledged it and claimed a run or found nothing",
    Effect.gen(function* () {
      const { id } = yield* issueFor();
      assert.isNull(yield* acting(one));
      const { runId } = yield* claimed(one);
      yield* Issues.Issues.use((issues) => issues.pause(id));
      assert.strictEqual(yield* acting(one), runId);
      // Another request that names the run ends it. The worker does not know that.
      yield* Runs.Runs.use((runs) => runs.turn("bot", runId));
      assert.strictEqual(yield* acting(one), runId);
      assert.deepStrictEqual(yield* notices(one), [{ runId, issueId: id, reason: "paused" }]);
      assert.deepInclude(yield* turn(one), { action: "stop", reason: "paused", runId });
      assert.deepStrictEqual(yield* notices(one), []);
      assert.strictEqual(yield* acting(one), runId);
      assert.deepInclude(yield* next(one), { reason: "nothing" });
      assert.isNull(yield* acting(one));
      assert.isNull(yield* acting(two));
    }),
  );

  check(
    "[work.fence.hand-in] a hand-in as released or failed fences the worker; as review or resolved it does not",
    Effect.gen(function* () {
      for (const outcome of ["released", "failed", "review", "resolved"] as const) {
        yield* issueFor({ title: outcome });
        const { runId } = yield* claimed(one);
        yield* finish(one, runId, outcome);
        assert.deepStrictEqual(yield* notices(one), []);
        assert.strictEqual((yield* refusal(turn(one)))._tag, "NoRun");
        const isFenced = outcome === "released" || outcome === "failed";
        assert.strictEqual(yield* acting(one), isFenced ? runId : null, outcome);
        if (outcome === "released") yield* finish(one, (yield* claimed(one)).runId, "resolved");
        yield* next(one);
        assert.isNull(yield* acting(one));
      }
    }),
  );

  check(
    "[work.fence.several] a worker with several live runs has to name one",
    Effect.gen(function* () {
      yield* issueFor();
      yield* issueFor();
      const { started } = yield* heartbeat("bot", { capacity: 2 });
      const runIds = started.map((run) => run.runId);
      for (const runId of runIds) yield* turn(one, runId);
      assert.sameMembers([...((yield* acting(one)) ?? [])], runIds);
      yield* finish(one, runIds[0]);
      assert.strictEqual(yield* acting(one), runIds[1]);
    }),
  );

  check(
    "[work.shared.stop] a stop of a shared worker stands until 15 minutes after a turn that names the run",
    Effect.gen(function* () {
      const { id } = yield* issueFor();
      yield* issueFor();
      const { runId } = yield* claimed(shared);
      yield* Issues.Issues.use((issues) => issues.pause(id));
      const stop = [{ runId, issueId: id, reason: "paused" as const }];
      const unnamed = { action: "stop", reason: "paused", runId } as const;
      assert.deepInclude(yield* turn(shared), unnamed);
      assert.deepInclude(yield* next(shared), { run: null, reason: "runEnded" });
      assert.deepInclude(yield* refusal(finish(shared)), { _tag: "RunEnded", runId });
      assert.deepStrictEqual(
        (yield* bot(work.use((workers) => workers.ofAgent("bot")))).map((run) => run.runId),
        [runId],
      );
      assert.deepInclude(yield* turn(shared, runId), unnamed);
      assert.strictEqual(yield* acting(shared), runId);
      const second = yield* claimed(shared);
      assert.strictEqual(yield* acting(shared), second.runId);
      assert.deepStrictEqual(yield* notices(shared), stop);
      assert.deepInclude(yield* turn(shared), unnamed);
      assert.deepInclude(yield* turn(shared, second.runId), { action: "continue" });
      yield* TestClock.adjust("899 seconds");
      assert.deepStrictEqual(yield* notices(shared), stop);
      yield* TestClock.adjust("1 second");
      assert.isEmpty((yield* notices(shared)).filter((notice) => notice.runId === runId));
    }),
  );

  const session = worker("session:1");
  const leave = bot(work.use((workers) => workers.leave("bot", session)));

  check(
    "[work.session-end] a deleted session releases its run after 60 seconds, without an attempt",
    Effect.gen(function* () {
      const { id } = yield* issueFor();
      yield* claimed(session);
      yield* leave;
      yield* TestClock.adjust("59 seconds");
      assert.deepInclude(yield* next(one), { reason: "nothing" });
      yield* TestClock.adjust("1 second");
      assert.deepInclude(yield* claimed(one), { issueId: id, attempt: 1 });
      assert.deepInclude(yield* get(id), { attempts: 0, notBefore: null });
    }),
  );

  check(
    "[work.session-end.named] a request that names the run in the meantime keeps it",
    Effect.gen(function* () {
      yield* issueFor();
      const { runId } = yield* claimed(session);
      yield* leave;
      yield* TestClock.adjust("30 seconds");
      assert.deepInclude(yield* Runs.Runs.use((runs) => runs.acting(runId)), { id: runId });
      yield* TestClock.adjust("61 seconds");
      assert.deepInclude(yield* next(one), { reason: "nothing" });
      yield* TestClock.adjust("839 seconds");
      assert.deepInclude(yield* claimed(one), { attempt: 2 });
    }),
  );

  check(
    "[work.heartbeat] the run of a heartbeat belongs to no worker",
    Effect.gen(function* () {
      yield* issueFor();
      const [started] = (yield* heartbeat("bot")).started;
      assert.strictEqual((yield* refusal(turn(shared)))._tag, "NoRun");
      assert.deepStrictEqual(yield* renew(shared), []);
      assert.strictEqual((yield* turn(shared, started?.runId)).action, "continue");
    }),
  );
});
