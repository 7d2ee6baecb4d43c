import { assert, describe } from "@effect/vitest";
import {
  AgentSecrets,
  Comments,
  CurrentProcess,
  Housekeeping,
  Issues,
  Questions,
  RunLogs,
  RunLogStore,
  RunRecords,
  Runs,
  ToolCallStore,
  Workers,
} from "@quartermaster/core";
import { Callers, Fixtures, Storage } from "@quartermaster/testing";
import { Clock, Effect, Layer, Redacted } from "effect";
import { TestClock } from "effect/testing";
import { check, checkWith, executing, finish, heartbeat, refusal } from "../support/World.ts";

const records = RunRecords.RunRecords;
const get = (runId: string) => records.use((service) => service.get(runId));
const timeline = (runId: string) =>
  Effect.map(
    records.use((service) => service.timeline("bot", runId)),
    ({ items }) => items,
  );
const turn = (runId: string, note?: string) =>
  Runs.Runs.use((runs) => runs.turn("bot", runId, note === undefined ? {} : { note }));
const secret = "correct-horse-battery-staple";

describe("RunRecords", () => {
  check(
    "[runs.record] a run has its note, worker, exit code, comment and the size of its log",
    Effect.gen(function* () {
      const runs = yield* Runs.Runs;
      const logs = yield* RunLogs.RunLogs;
      const process = { name: "runner-0123456789", client: "curl/8", host: null, pid: null };
      const { runId } = yield* executing().pipe(
        Effect.provideService(CurrentProcess.CurrentProcess, process),
      );
      const none = { note: null, exitCode: null, commentId: null, logBytes: 0 };
      assert.deepInclude(yield* get(runId), { ...none, worker: process });
      const entries = [{ stream: "stdout" as const, text: "12345" }];
      yield* logs.append("bot", runId, { from: 0, entries });
      yield* turn(runId, "Reading");
      yield* runs.finish("bot", runId, { outcome: "review", comment: "Done", exitCode: 3 });
      const run = yield* get(runId);
      assert.match(run.commentId ?? "", /^cmt_/);
      assert.deepInclude(run, { note: "Reading", exitCode: 3, logBytes: 6 });
      const { items } = yield* runs.list("bot");
      assert.deepStrictEqual(items, [run]);
    }),
  );

  check(
    "[runs.notes] the newest note stands in the run, and its timeline has all; a repeat and an ended run add none",
    Effect.gen(function* () {
      const { runId } = yield* executing();
      const other = yield* executing("other");
      yield* turn(runId, "Reading");
      yield* turn(runId, "Reading");
      yield* turn(runId);
      yield* heartbeat("bot", {
        runs: [{ runId, note: "Writing" }, { runId: other.runId, note: "Not mine" }, "run_none"],
      });
      yield* heartbeat("bot", { runs: [runId] });
      assert.strictEqual((yield* get(runId)).note, "Writing");
      assert.isNull((yield* get(other.runId)).note);
      yield* finish(runId, "review");
      assert.strictEqual((yield* refusal(turn(runId, "Late")))._tag, "RunEnded");
      const notes = (yield* timeline(runId)).flatMap(({ note }) => note ?? []);
      assert.deepStrictEqual(notes, ["Reading", "Writing"]);
      for (const note of ["", "x".repeat(2_001)]) {
        assert.strictEqual((yield* refusal(turn(other.runId, note)))._tag, "InvalidRequest");
      }
    }),
  );

  checkWith(
    Layer.succeed(AgentSecrets.AgentSecrets, {
      valuesOf: () => Effect.succeed([Redacted.make(secret)]),
    }),
    "[runs.notes.secrets] secrets are removed from notes",
    Effect.gen(function* () {
      const { runId } = yield* executing();
      yield* turn(runId, `Using ${secret}`);
      assert.strictEqual((yield* get(runId)).note, "Using [secret]");
      yield* heartbeat("bot", { runs: [{ runId, note: secret }] });
      assert.strictEqual((yield* get(runId)).note, "[secret]");
    }),
  );

  check(
    "[runs.timeline] a turn is in the timeline if it had a new note or returned comments",
    Effect.gen(function* () {
      const comments = yield* Comments.Comments;
      const { issue, runId } = yield* executing();
      yield* turn(runId);
      const comment = yield* comments.create(issue.id, { content: "Hurry" });
      yield* turn(runId);
      yield* turn(runId);
      yield* turn(runId, "Hurrying");
      yield* turn(runId, "Hurrying");
      yield* heartbeat("bot", { runs: [{ runId, note: "Nearly there" }] });
      const entries = yield* timeline(runId);
      assert.deepStrictEqual(
        entries.flatMap(({ commentIds, kind }) => (kind === "turn" ? [commentIds] : [])),
        [[comment.id], []],
      );
    }),
  );

  check(
    "[runs.timeline] the timeline of a run has what happened while it ran, oldest first, page by page",
    Effect.gen(function* () {
      const comments = yield* Comments.Comments;
      const questions = yield* Questions.Questions;
      const service = yield* records;
      const { issue, runId } = yield* executing();
      const step = TestClock.adjust("1 second");
      yield* step;
      yield* turn(runId, "Reading");
      yield* step;
      const comment = yield* comments.create(issue.id, { content: "Hurry" });
      yield* step;
      const { question } = yield* questions.ask(issue.id, { prompt: "Red?", blocking: false });
      yield* step;
      yield* questions.answer(question.id, { answer: "Blue" });
      yield* step;
      const issues = yield* Issues.Issues;
      yield* issues.pause(issue.id);
      yield* step;
      yield* turn(runId, "Stopping");
      yield* step;
      yield* comments.create(issue.id, { content: "After the end" });
      const { items } = yield* comments.list(issue.id);
      const answer = items.find(({ content }) => content.includes("Blue"));
      const user = { type: "User", id: "alice" } as const;
      const at = (seconds: number) => new Date(seconds * 1_000).toISOString();
      const all = [
        { kind: "started", at: at(0) },
        { kind: "turn", at: at(1), commentIds: [] },
        { kind: "note", at: at(1), note: "Reading" },
        { kind: "commented", at: at(2), actor: user, commentId: comment.id },
        { kind: "asked", at: at(3), actor: user, questionId: question.id },
        { kind: "answered", at: at(4), actor: user, questionId: question.id },
        // The answer as a comment.
        { kind: "commented", at: at(4), actor: user, commentId: answer?.id },
        { kind: "turn", at: at(6), commentIds: [comment.id, answer?.id] },
        { kind: "note", at: at(6), note: "Stopping" },
        { kind: "stop", at: at(6), reason: "paused" },
        { kind: "ended", at: at(6), reason: "paused" },
      ] as const;
      assert.deepStrictEqual<unknown>(yield* timeline(runId), all);
      const first = yield* service.timeline("bot", runId, { limit: 3 });
      const second = yield* service.timeline("bot", runId, {
        limit: 8,
        cursor: first.next ?? "",
      });
      assert.deepStrictEqual<unknown>([...first.items, ...second.items], all);
      assert.isNull(second.next);
      const newest = yield* service.timeline("bot", runId, { limit: 1, order: "desc" });
      assert.deepStrictEqual<unknown>(newest.items, all.slice(-1));
      const foreign = yield* refusal(service.timeline("other", runId));
      assert.strictEqual(foreign._tag, "NotFound");
    }),
  );

  check(
    "[runs.record] a run counts its calls, and its timeline has them",
    Effect.gen(function* () {
      const store = yield* ToolCallStore.ToolCallStore;
      const { runId } = yield* executing();
      const ok = yield* Fixtures.toolCallRow({ runId });
      const failed = yield* Fixtures.toolCallRow({ runId, server: null, outcome: "unknownTool" });
      yield* Storage.transact(store.append([ok, failed, yield* Fixtures.toolCallRow()]));
      assert.deepStrictEqual((yield* get(runId)).calls, { total: 2, failed: 1 });
      const called = (yield* timeline(runId)).filter(({ kind }) => kind === "call");
      assert.deepStrictEqual<unknown>(called, [
        { kind: "call", at: Fixtures.at(0), callId: ok.id, tool: "notes/add_note" },
        { kind: "call", at: Fixtures.at(0), callId: failed.id, tool: "add_note" },
      ]);
    }),
  );

  check(
    "[runs.timeline] a run that was taken over names the run that continues",
    Effect.gen(function* () {
      const workers = yield* Workers.Workers;
      const { runId } = yield* executing();
      yield* TestClock.adjust("61 seconds");
      const worker = { id: "name:key_a:runner-0123456789", runId: null, isShared: false };
      const { run } = yield* workers
        .takeOver("bot", worker, runId)
        .pipe(Callers.as(Callers.agent("bot")));
      const at = "1970-01-01T00:01:01.000Z";
      assert.deepStrictEqual<unknown>((yield* timeline(runId)).slice(1), [
        { kind: "takenOver", at, runId: run?.runId },
        { kind: "ended", at, reason: "takenOver" },
      ]);
      const taken = yield* get(run?.runId ?? "");
      assert.strictEqual(taken.worker.name, "runner-0123456789");
    }),
  );

  check(
    "[runs.timeline] what ends a run is in its timeline, also if the clock moves while it is written",
    Effect.gen(function* () {
      const workers = yield* Workers.Workers;
      const moving = Effect.map(Clock.Clock, (clock) => {
        let millis = 0;
        const currentTimeMillisUnsafe = () => clock.currentTimeMillisUnsafe() + (millis += 1);
        const currentTimeMillis = Effect.sync(currentTimeMillisUnsafe);
        return { ...clock, currentTimeMillis, currentTimeMillisUnsafe };
      });
      const whileMoving = Effect.provideServiceEffect(Clock.Clock, moving);
      const ends = (runId: string) =>
        Effect.map(timeline(runId), (all) => all.slice(1).map(({ at, kind }) => ({ at, kind })));
      const handedIn = yield* executing();
      yield* whileMoving(
        Runs.Runs.use((runs) =>
          runs.finish("bot", handedIn.runId, { outcome: "review", comment: "Done" }),
        ),
      );
      const { endedAt } = yield* get(handedIn.runId);
      assert.deepStrictEqual<unknown>(yield* ends(handedIn.runId), [
        { at: endedAt, kind: "commented" },
        { at: endedAt, kind: "ended" },
      ]);
      const stopped = yield* executing();
      yield* Issues.Issues.use((issues) => issues.pause(stopped.issue.id));
      yield* whileMoving(turn(stopped.runId));
      const { endedAt: stoppedAt } = yield* get(stopped.runId);
      assert.deepStrictEqual<unknown>(yield* ends(stopped.runId), [
        { at: stoppedAt, kind: "stop" },
        { at: stoppedAt, kind: "ended" },
      ]);
      const taken = yield* executing();
      yield* TestClock.adjust("61 seconds");
      const worker = { id: "name:key_a:runner-0123456789", runId: null, isShared: false };
      yield* whileMoving(
        workers.takeOver("bot", worker, taken.runId).pipe(Callers.as(Callers.agent("bot"))),
      );
      const { endedAt: takenAt } = yield* get(taken.runId);
      assert.deepStrictEqual<unknown>(yield* ends(taken.runId), [
        { at: takenAt, kind: "takenOver" },
        { at: takenAt, kind: "ended" },
      ]);
    }),
  );

  check(
    "[runs.all] all runs that a caller may see are listed newest first, with filters",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const service = yield* records;
      const first = yield* executing();
      yield* TestClock.adjust("100 seconds");
      const second = yield* executing("other");
      yield* finish(second.runId, "review", "other");
      const made = yield* issues.create("elsewhere", { title: "a", assignedAgentId: "bot" });
      const { started } = yield* heartbeat("bot", { runs: [first.runId] });
      const third = started[0]?.runId;
      const ids = (request: Parameters<(typeof service)["list"]>[0] = {}) =>
        Effect.map(service.list(request), ({ items }) => items.map(({ id }) => id));
      assert.deepStrictEqual(yield* ids(), [third, second.runId, first.runId]);
      assert.deepStrictEqual(yield* ids({ order: "asc", limit: 1 }), [first.runId]);
      assert.deepStrictEqual(yield* ids({ agentId: "bot" }), [third, first.runId]);
      assert.deepStrictEqual(yield* ids({ projectId: "elsewhere" }), [third]);
      assert.deepStrictEqual(yield* ids({ issueId: made.id }), [third]);
      assert.deepStrictEqual(yield* ids({ status: "ended" }), [second.runId]);
      assert.deepStrictEqual(yield* ids({ outcome: "review" }), [second.runId]);
      assert.deepStrictEqual(yield* ids({ outcome: "failed" }), []);
      const later = "1970-01-01T00:01:40.000Z";
      assert.deepStrictEqual(yield* ids({ from: later }), [third, second.runId]);
      assert.deepStrictEqual(yield* ids({ to: later }), [first.runId]);
      const bound = Callers.as({ ...Callers.user("bob"), projects: ["elsewhere"] });
      assert.deepStrictEqual(yield* bound(ids()), [third]);
      assert.strictEqual((yield* refusal(bound(get(first.runId))))._tag, "NotFound");
    }),
  );

  check(
    "[runs.notes.deleted] notes go with their issue, and with their run",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const logs = yield* RunLogStore.RunLogStore;
      const housekeeping = yield* Housekeeping.Housekeeping;
      const { issue, runId } = yield* executing();
      yield* turn(runId, "Reading");
      yield* issues.remove(issue.id, { confirm: true });
      assert.deepStrictEqual(yield* logs.notes(runId), []);
      assert.isNull((yield* get(runId)).note);
      const other = yield* executing();
      yield* turn(other.runId, "Reading");
      yield* finish(other.runId, "review");
      assert.lengthOf(yield* logs.notes(other.runId), 1);
      yield* housekeeping.once;
      yield* TestClock.adjust("91 days");
      yield* housekeeping.once;
      yield* TestClock.adjust("61 minutes");
      yield* housekeeping.once;
      assert.deepStrictEqual(yield* logs.notes(other.runId), []);
    }),
  );
});
