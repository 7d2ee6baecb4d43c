import { assert, describe } from "@effect/vitest";
import {
  Agents,
  Attachments,
  Comments,
  CurrentRun,
  Issues,
  Links,
  Projects,
  Questions,
  Runs,
} from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect, Stream } from "effect";
import { TestClock } from "effect/testing";
import {
  type Call,
  check,
  create,
  executing,
  finish,
  heartbeat,
  link,
  project,
  put,
  refusal,
  turn,
} from "../support/World.ts";

const admin = Callers.as(Callers.user("root", { role: "Admin" }));

const acting = (runId: string, agentId = "bot") =>
  Effect.provideService(CurrentRun.CurrentRun, { id: runId, agentId });

const attach = (issueId: string) =>
  Attachments.Attachments.use((attachments) =>
    attachments.upload(issueId, {
      fileName: "notes.txt",
      contentType: "text/plain",
      bytes: Stream.make(new Uint8Array([1])),
    }),
  );

const comment = (issueId: string) =>
  Comments.Comments.use((comments) => comments.create(issueId, { content: "Half of it is done." }));

const ask = (issueId: string) =>
  Questions.Questions.use((questions) =>
    questions.ask(issueId, { prompt: "Which slates?", blocking: false }),
  );

/** An issue with everything that a call can change. */
const target = Effect.gen(function* () {
  const issue = yield* create();
  const other = yield* create();
  const { id: linkId } = yield* link(issue.id, "RelatedTo", other.id);
  const { question } = yield* ask(issue.id);
  const { id: attachmentId } = yield* attach(issue.id);
  return { id: issue.id, other: other.id, linkId, questionId: question.id, attachmentId };
});

/** Every write of issues, links, questions, plans, projects, and of files on another issue than the run's. */
const writes = Effect.gen(function* () {
  const { attachmentId, id, linkId, other, questionId } = yield* target;
  const issues = yield* Issues.Issues;
  const questions = yield* Questions.Questions;
  const executes = yield* executing("eve");
  const paused = yield* executing("eve");
  yield* issues.pause(paused.issue.id);
  const calls: ReadonlyArray<Call> = [
    issues.create(project, { title: "Another" }),
    issues.plan(project, { issues: [{ ref: "a", title: "Another" }] }),
    put(id, { title: "Another" }),
    put(id, { status: "Resolved" }),
    put(id, { status: "Open", title: "Another" }),
    put(id, { assignedAgentId: "eve" }),
    issues.pause(executes.issue.id),
    issues.resume(paused.issue.id),
    issues.close(id),
    issues.remove(id, { confirm: true }),
    link(id, "Blocks", other),
    Links.Links.use((links) => links.remove(linkId)),
    ask(id),
    questions.answer(questionId, { answer: "Grey" }),
    questions.withdraw(questionId),
    attach(id),
    Attachments.Attachments.use((attachments) => attachments.remove(attachmentId)),
    Projects.Projects.use((projects) => projects.put(project, { paused: true })),
    Runs.Runs.use((runs) => runs.finish("eve", executes.runId, { outcome: "resolved" })),
  ];
  return { calls, id };
});

/** The refusal of a call for the run, with the reason. */
const refused = (call: Call, runId: string, reason: string) =>
  Effect.map(refusal(acting(runId)(call)), (error) =>
    assert.deepInclude(error, { _tag: "RunEnded", runId, reason }),
  );

const everything = Effect.fnUntraced(function* (runId: string, reason: string) {
  const { calls, id } = yield* writes;
  const issues = yield* Issues.Issues;
  const before = [yield* issues.get(id), (yield* issues.list(project)).items.length];
  for (const call of calls) yield* refused(call, runId, reason);
  assert.deepStrictEqual(
    [yield* issues.get(id), (yield* issues.list(project)).items.length],
    before,
  );
  for (const call of calls.slice(0, 3)) yield* call;
});

const ends: ReadonlyArray<
  readonly [
    state: string,
    reason: string,
    end: (run: { readonly id: string; readonly runId: string }) => Call,
    mayAttach: boolean,
  ]
> = [
  ["was told to stop", "paused", ({ id }) => Issues.Issues.use((issues) => issues.pause(id)), true],
  [
    "was told to stop by a pause of its agent",
    "agentPaused",
    () => Agents.Agents.use((agents) => admin(agents.put("bot", { paused: true }))),
    true,
  ],
  ["handed in as resolved", "resolved", ({ runId }) => finish(runId, "resolved"), false],
  ["handed in as review", "statusChanged", ({ runId }) => finish(runId, "review"), false],
  ["handed in as released", "statusChanged", ({ runId }) => finish(runId, "released"), false],
  ["handed in as failed", "paused", ({ runId }) => finish(runId, "failed"), false],
  [
    "acknowledged a reassignment",
    "reassigned",
    ({ id, runId }) => Effect.andThen(put(id, { assignedAgentId: "eve" }), turn(runId)),
    false,
  ],
  ["let its lease expire", "leaseExpired", () => TestClock.adjust("5 minutes"), false],
];

describe("Calls that act for a run", () => {
  for (const [state, reason, end, mayAttach] of ends) {
    check(
      `[run.fence] a run that ${state} writes nothing, and still comments`,
      Effect.gen(function* () {
        const { issue, runId } = yield* executing("bot");
        yield* end({ id: issue.id, runId });
        yield* everything(runId, reason);
        yield* acting(runId)(comment(issue.id));
        yield* mayAttach
          ? acting(runId)(attach(issue.id))
          : refused(attach(issue.id), runId, reason);
      }),
    );
  }

  check(
    "[run.fence] a run of a deleted issue does not even comment",
    Effect.gen(function* () {
      const stopping = yield* executing("bot");
      const done = yield* executing("bot");
      yield* finish(done.runId, "resolved");
      const issues = yield* Issues.Issues;
      const { id } = yield* create();
      for (const { issue, runId } of [stopping, done]) {
        yield* issues.remove(issue.id, { confirm: true });
        yield* everything(runId, "deleted");
        const own = [comment(issue.id), put(issue.id, { title: "Another" }), attach(issue.id)];
        for (const call of [comment(id), ...own]) yield* refused(call, runId, "deleted");
      }
    }),
  );

  check(
    "[run.fence] a live run writes, and reads of an ended run are not refused",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing("bot");
      yield* acting(runId)(attach(issue.id));
      yield* acting(runId)(ask(issue.id));
      yield* acting(runId)(put(issue.id, { title: "Another" }));
      yield* finish(runId, "released");
      const issues = yield* Issues.Issues;
      const attachments = yield* Attachments.Attachments;
      const questions = yield* Questions.Questions;
      const reads: ReadonlyArray<Call> = [
        issues.get(issue.id),
        issues.list(project),
        issues.readiness(issue.id),
        issues.activity(issue.id),
        attachments.list(issue.id),
        questions.list(issue.id),
      ];
      for (const read of reads) yield* acting(runId)(read);
    }),
  );

  check(
    "[run.fence] a run that another run of its issue follows has ended",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing("bot");
      yield* finish(runId, "released");
      yield* heartbeat("bot");
      yield* refused(put(issue.id, { title: "Another" }), runId, "statusChanged");
      yield* acting(runId)(comment(issue.id));
    }),
  );

  check(
    "[run.fence] a run that does not exist any more writes nothing",
    Effect.gen(function* () {
      yield* refused(create(), "run_00000000000000000000000000", "unknown");
    }),
  );
});
