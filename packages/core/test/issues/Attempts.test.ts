import { assert, describe } from "@effect/vitest";
import {
  Comments,
  CoreOptions,
  type Issue,
  Issues,
  Principal,
  Runs,
  Timestamp,
} from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect, Layer } from "effect";
import { TestClock } from "effect/testing";
import {
  check,
  checkWith,
  create,
  executing,
  finish,
  get,
  heartbeat,
  kinds,
  put,
  refusal,
  waiting,
  plain,
} from "../support/World.ts";

const optionsWith = (maxAttempts: number) =>
  Layer.succeed(CoreOptions.CoreOptions, {
    ...CoreOptions.CoreOptions.defaultValue(),
    maxAttempts,
  });

const fail = (runId: string) =>
  Runs.Runs.use((runs) => runs.finish("bot", runId, { outcome: "failed", retry: true }));

const release = (runId: string, retryAfterSeconds: number) =>
  Runs.Runs.use((runs) => runs.finish("bot", runId, { outcome: "released", retryAfterSeconds }));

const attemptsOf = ({ attempts, notBefore, pausedBecause, status }: Issue.Issue) => ({
  attempts,
  notBefore,
  pausedBecause,
  status,
});

const codes = (id: string) =>
  Effect.map(
    Issues.Issues.use((issues) => issues.readiness(id)),
    ({ reasons }) => reasons.map(({ code }) => code),
  );

/** Starts a run of the agent's only issue and lets its lease of 5 seconds expire. */
const die = Effect.gen(function* () {
  const { started } = yield* heartbeat("bot", { leaseSeconds: 5 });
  yield* TestClock.adjust("6 seconds");
  return started[0];
});

const endExpired = Runs.Runs.use((runs) => runs.endExpired);

describe("Attempts", () => {
  check(
    "[attempts.expiry] an expired lease counts an attempt; the first retry follows without a delay",
    Effect.gen(function* () {
      const { id, version } = yield* create({ assignedAgentId: "bot" });
      const first = yield* die;
      assert.strictEqual(first?.attempt, 1);
      yield* endExpired;
      const issue = yield* get(id);
      assert.deepStrictEqual(attemptsOf(issue), {
        attempts: 1,
        notBefore: null,
        pausedBecause: null,
        status: "InProgress",
      });
      // The claim is one change, the attempt is another one.
      assert.strictEqual(issue.version, version + 2);
      const { started } = yield* heartbeat("bot");
      assert.strictEqual(started[0]?.attempt, 2);
    }),
  );

  checkWith(
    optionsWith(0),
    "[attempts.delay] after attempt n the next run starts 60 s * 2^(n-2) later, at most 30 minutes",
    Effect.gen(function* () {
      const { id } = yield* create({ assignedAgentId: "bot" });
      for (const delay of [0, 60, 120, 240, 480, 960, 1_800, 1_800]) {
        const { started } = yield* heartbeat("bot", { leaseSeconds: 5 });
        const expiry = started[0]?.leaseExpiresAt ?? "";
        yield* TestClock.adjust("6 seconds");
        yield* endExpired;
        const { notBefore } = yield* get(id);
        assert.strictEqual(notBefore, delay === 0 ? null : Timestamp.addSeconds(expiry, delay));
        if (delay === 0) continue;
        yield* TestClock.adjust(`${delay - 2} seconds`);
        assert.deepStrictEqual((yield* heartbeat("bot")).started, [], `${delay}`);
        yield* TestClock.adjust("1 second");
      }
    }),
  );

  check(
    "[attempts.limit] at maxAttempts the issue is paused and Open",
    Effect.gen(function* () {
      const { id } = yield* create({ assignedAgentId: "bot" });
      yield* die;
      yield* die;
      yield* endExpired;
      yield* TestClock.adjust("60 seconds");
      yield* die;
      yield* endExpired;
      const issue = yield* get(id);
      assert.isTrue(issue.paused);
      assert.deepStrictEqual(attemptsOf(issue), {
        attempts: 3,
        notBefore: null,
        pausedBecause: "tooManyAttempts",
        status: "Open",
      });
      const { items } = yield* Issues.Issues.use((issues) =>
        issues.activity(id, { order: "desc", limit: 3 }),
      );
      assert.deepInclude(
        items.find(({ kind }) => kind === "paused"),
        { data: { cause: "tooManyAttempts", attempts: 3 } },
      );
      assert.deepStrictEqual((yield* heartbeat("bot")).started, []);
      assert.includeMembers(yield* codes(id), ["paused", "tooManyAttempts"]);
      yield* Issues.Issues.use((issues) => issues.resume(id));
      assert.strictEqual((yield* heartbeat("bot")).started[0]?.attempt, 1);
    }),
  );

  checkWith(
    optionsWith(1),
    "[attempts.limit.waiting] at maxAttempts an issue with an open blocker waits",
    Effect.gen(function* () {
      const { blocker, issue } = yield* waiting({ assignedAgentId: "bot" });
      yield* put(blocker.id, { status: "Resolved" });
      yield* die;
      // Reopens the blocker while the issue is InProgress, so that the issue's status does not
      // change.
      yield* put(blocker.id, { status: "Open" });
      yield* endExpired;
      assert.deepInclude(attemptsOf(yield* get(issue.id)), {
        pausedBecause: "tooManyAttempts",
        status: "WaitingOnDependency",
      });
    }),
  );

  checkWith(
    optionsWith(1),
    "[attempts.claim] a claim judges an expired lease that is not recorded, and takes the next issue",
    Effect.gen(function* () {
      const { id } = yield* create({ assignedAgentId: "bot", priority: "urgent" });
      const first = yield* die;
      assert.strictEqual(first?.issue.id, id);
      const next = yield* create({ assignedAgentId: "bot" });
      assert.includeMembers(yield* codes(id), ["paused", "tooManyAttempts"]);
      const { started } = yield* heartbeat("bot");
      assert.deepStrictEqual(
        started.map(({ issue }) => issue.id),
        [next.id],
      );
      assert.strictEqual((yield* get(id)).pausedBecause, "tooManyAttempts");
    }),
  );

  checkWith(
    optionsWith(1),
    "[attempts.claim.reassigned] a claim by another agent judges it as well",
    Effect.gen(function* () {
      const { id } = yield* create({ assignedAgentId: "bot", priority: "urgent" });
      yield* die;
      yield* Issues.Issues.use((issues) => issues.update(id, { assignedAgentId: "other" })).pipe(
        Callers.as(Principal.system),
      );
      const next = yield* create({ assignedAgentId: "other" });
      const { started } = yield* heartbeat("other");
      assert.deepStrictEqual(
        started.map(({ issue }) => issue.id),
        [next.id],
      );
    }),
  );

  check(
    "[attempts.stopping] the expired lease of a run that was told to stop changes nothing",
    Effect.gen(function* () {
      const { issue } = yield* executing("bot");
      yield* Issues.Issues.use((issues) => issues.pause(issue.id));
      const before = yield* get(issue.id);
      yield* TestClock.adjust("301 seconds");
      yield* endExpired;
      assert.deepStrictEqual(yield* get(issue.id), before);
      assert.include(yield* kinds(issue.id), "leaseExpired");
    }),
  );

  check(
    "[attempts.retry] a run that failed and is to be retried counts like an expired lease",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing("bot");
      const failed = yield* fail(runId);
      assert.deepInclude(attemptsOf(failed), { attempts: 1, notBefore: null, pausedBecause: null });
      const second = yield* heartbeat("bot");
      const again = yield* fail(second.started[0]?.runId ?? "");
      const now = yield* Timestamp.now;
      assert.strictEqual(again.notBefore, Timestamp.addSeconds(now, 60));
      assert.deepStrictEqual(yield* codes(issue.id), ["notBefore"]);
      yield* TestClock.adjust("60 seconds");
      const third = yield* heartbeat("bot");
      assert.isNull(third.started[0]?.issue.notBefore ?? null);
      const last = yield* fail(third.started[0]?.runId ?? "");
      assert.deepInclude(attemptsOf(last), { attempts: 3, pausedBecause: "tooManyAttempts" });
      assert.strictEqual(last.status, "Open");
    }),
  );

  check(
    "[attempts.failed] a run that failed pauses its issue and counts an attempt",
    Effect.gen(function* () {
      const { runId } = yield* executing("bot");
      const issue = yield* finish(runId, "failed");
      assert.deepStrictEqual(attemptsOf(issue), {
        attempts: 1,
        notBefore: null,
        pausedBecause: "failed",
        status: "Open",
      });
    }),
  );

  for (const outcome of ["resolved", "review", "released"] as const) {
    check(
      `[attempts.reset.finish] a run that finishes as ${outcome} starts the attempts again`,
      Effect.gen(function* () {
        yield* create({ assignedAgentId: "bot" });
        yield* die;
        const { started } = yield* heartbeat("bot");
        assert.strictEqual(started[0]?.issue.attempts, 1);
        assert.strictEqual((yield* finish(started[0]?.runId ?? "", outcome)).attempts, 0);
      }),
    );
  }

  check(
    "[attempts.reset.put] a status or an agent from a user starts the attempts again, from an agent not",
    Effect.gen(function* () {
      const { id } = yield* create({ assignedAgentId: "bot" });
      yield* die;
      yield* endExpired;
      const asAgent = yield* put(id, { assignedAgentId: "bot" }).pipe(
        Callers.as(Callers.agent("bot")),
      );
      assert.strictEqual(asAgent.attempts, 1);
      const untouched = yield* put(id, { title: "Another" });
      assert.strictEqual(untouched.attempts, 1);
      const same = yield* put(id, { assignedAgentId: "bot" });
      assert.strictEqual(same.attempts, 0);
      assert.strictEqual(same.version, untouched.version + 1);
      yield* die;
      yield* endExpired;
      const notBefore = "2030-01-01T00:00:00.000Z";
      const both = yield* put(id, { status: "Open", notBefore });
      assert.deepInclude(attemptsOf(both), { attempts: 0, notBefore });
      assert.isNull((yield* put(id, { status: "Open" })).notBefore);
    }),
  );

  check(
    "[attempts.settle] a person's change of an issue whose lease is over follows its record",
    Effect.gen(function* () {
      const { id, version } = yield* create({ assignedAgentId: "bot" });
      yield* die;
      const issue = yield* Issues.Issues.use((issues) =>
        issues.update(id, { status: "Open" }, { ifMatch: [version + 1] }),
      );
      assert.deepInclude(attemptsOf(issue), { attempts: 0, status: "Open" });
      yield* endExpired;
      assert.deepStrictEqual(yield* get(id), plain(issue));
      assert.include(yield* kinds(id), "leaseExpired");
    }),
  );
});

describe("Deferral", () => {
  check(
    "[deferral.post] an issue that is created with notBefore is not picked up before that time",
    Effect.gen(function* () {
      const now = yield* Timestamp.now;
      const notBefore = Timestamp.addSeconds(now, 90);
      const issue = yield* create({ assignedAgentId: "bot", notBefore });
      assert.deepInclude(issue, { notBefore, version: 1 });
      assert.deepStrictEqual(yield* kinds(issue.id), ["created", "deferred"]);
      yield* TestClock.adjust("89 seconds");
      assert.deepStrictEqual((yield* heartbeat("bot")).started, []);
      assert.deepStrictEqual(yield* codes(issue.id), ["notBefore"]);
      yield* TestClock.adjust("1 second");
      assert.strictEqual((yield* heartbeat("bot")).started.length, 1);
      assert.isNull((yield* get(issue.id)).notBefore);
    }),
  );

  check(
    "[deferral.put] an update sets and clears notBefore, which is deferred on the timeline",
    Effect.gen(function* () {
      const { id } = yield* create();
      const set = yield* put(id, { notBefore: "2030-01-01T01:00:00+01:00" });
      assert.deepInclude(set, { notBefore: "2030-01-01T00:00:00.000Z", version: 2 });
      const same = yield* put(id, { notBefore: "2030-01-01T00:00:00Z" });
      assert.strictEqual(same.version, 2);
      const cleared = yield* put(id, { notBefore: null });
      assert.deepInclude(cleared, { notBefore: null, version: 3 });
      assert.deepStrictEqual(yield* kinds(id), ["created", "deferred", "deferred"]);
      const bad = yield* refusal(put(id, { notBefore: "tomorrow" }));
      assert.strictEqual(bad._tag, "InvalidRequest");
    }),
  );

  check(
    "[deferral.released] a run may be released for later",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing("bot");
      const released = yield* release(runId, 3_600);
      const now = yield* Timestamp.now;
      assert.deepInclude(attemptsOf(released), {
        status: "Open",
        notBefore: Timestamp.addSeconds(now, 3_600),
      });
      assert.deepStrictEqual((yield* heartbeat("bot")).started, []);
      yield* TestClock.adjust("3600 seconds");
      assert.strictEqual((yield* heartbeat("bot")).started[0]?.issue.id, issue.id);
    }),
  );

  check(
    "[deferral.released] a run that is released for 0 seconds later is deferred until now",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing("bot");
      const released = yield* release(runId, 0);
      assert.strictEqual(released.notBefore, yield* Timestamp.now);
      assert.strictEqual((yield* heartbeat("bot")).started[0]?.issue.id, issue.id);
    }),
  );

  check(
    "[deferral.released.only] retryAfterSeconds belongs to released, and retry to failed",
    Effect.gen(function* () {
      const { runId } = yield* executing("bot");
      const runs = yield* Runs.Runs;
      for (const body of [
        { outcome: "failed", retryAfterSeconds: 60 },
        { outcome: "resolved", retryAfterSeconds: 0 },
        { outcome: "released", retryAfterSeconds: 604_801 },
        { outcome: "released", retryAfterSeconds: -1 },
        { outcome: "review", retry: true },
      ] as const) {
        const refused = yield* refusal(runs.finish("bot", runId, body));
        assert.strictEqual(refused._tag, "InvalidRequest", JSON.stringify(body));
      }
      const resolved = yield* runs.finish("bot", runId, { outcome: "resolved", retry: false });
      assert.strictEqual(resolved.status, "Resolved");
    }),
  );
});

describe("Runs show", () => {
  check(
    "[runs.attempt] the attempt, and why they had to stop",
    Effect.gen(function* () {
      const { issue } = yield* executing("bot");
      yield* Issues.Issues.use((issues) => issues.pause(issue.id));
      const runs = yield* Runs.Runs;
      const { items } = yield* runs.list("bot");
      assert.deepInclude(items[0], { attempt: 1, stopReason: "paused", status: "stopping" });
    }),
  );

  check(
    "[heartbeat.started.comments] a started run has the newest 20 comments, oldest first",
    Effect.gen(function* () {
      const { id } = yield* create({ assignedAgentId: "bot" });
      yield* Comments.Comments.use((comments) =>
        Effect.forEach(
          Array.from({ length: 22 }, (_, n) => `comment ${n + 1}`),
          (content) => comments.create(id, { content, authorType: "User" }),
        ),
      );
      const { started } = yield* heartbeat("bot");
      assert.deepStrictEqual(
        started[0]?.comments.map(({ content }) => content),
        Array.from({ length: 20 }, (_, n) => `comment ${n + 3}`),
      );
    }),
  );
});
