import {
  Agents,
  Attachments,
  Comments,
  Errors,
  IssueEffects,
  Issues,
  Principal,
  Questions,
  type Runs,
  Workers,
} from "@quartermaster/core";
import { Clock, Effect, Random, Schema } from "effect";
import * as HeldIssue from "./HeldIssue.ts";
import * as Idle from "./Idle.ts";
import * as LastHandIn from "./LastHandIn.ts";
import { Explained } from "./Refusals.ts";
import {
  adds,
  agentOf,
  type CallingWorker,
  define,
  reads,
  type ServiceTool,
  updates,
} from "./ServiceTool.ts";
import {
  AskArguments,
  FinishArguments,
  finishParameters,
  NextArguments,
  TurnArguments,
  turnParameters,
} from "./WorkArguments.ts";

/** The work loop for agents that only call tools: claim issues, stop, and finish. */

/**
 * The longest time between two claims of a waiting worker: expired leases emit no event. The actual
 * time is random, between half of this and this, so that workers that started together do not claim
 * together and delay others.
 */
const recheckMillis = 10_000;

/**
 * The longest time between two reads of a pending question: its issue may move to another agent.
 */
const rereadMillis = 2_000;

/** The operations behind the tools, some of which wait, and the content of runs. */
const steps = Effect.gen(function* () {
  const workers = yield* Workers.Workers;
  const issues = yield* Issues.Issues;
  const comments = yield* Comments.Comments;
  const attachments = yield* Attachments.Attachments;
  const questions = yield* Questions.Questions;
  const effects = yield* IssueEffects.IssueEffects;
  const heldIssue = yield* HeldIssue.make;

  /**
   * Claims an issue. Retries whenever the agent may have got one, until `waitSeconds` have passed.
   */
  const claim = Effect.fnUntraced(function* (
    { agentId, worker }: CallingWorker,
    waitSeconds: number,
    options: Workers.NextOptions,
  ) {
    // Listen first, so that an issue that arrives during the claim still wakes the worker.
    const listener = waitSeconds === 0 ? null : yield* workers.listen(agentId);
    const until = (yield* Clock.currentTimeMillis) + waitSeconds * 1_000;
    for (;;) {
      const next = yield* workers.next(agentId, worker, options);
      const left = until - (yield* Clock.currentTimeMillis);
      const isFinal = next.run !== null || next.reason === "busy" || next.reason === "runEnded";
      if (isFinal || listener === null || left <= 0) return next;
      // An expired lease does not wake the worker.
      const recheck = yield* Random.nextBetween(recheckMillis / 2, recheckMillis);
      yield* listener.wait(Math.min(left, next.retryAfterSeconds * 1_000, recheck));
    }
  }, Effect.scoped);

  const commentsOf = (issueId: string) =>
    Effect.map(comments.list(issueId, { limit: 20, order: "desc" }), ({ items }) =>
      items.toReversed(),
    );

  const held = Effect.fnUntraced(function* (
    next: Extract<Workers.Next, { readonly started: unknown }>,
  ) {
    const { issueId, ...run } = next.run;
    return {
      run,
      issue: next.started?.issue ?? (yield* issues.get(issueId)),
      comments: next.started?.comments ?? (yield* commentsOf(issueId)),
      attachments: (yield* attachments.list(issueId, { limit: 100 })).items,
      questions: next.started?.questions ?? (yield* questions.closedFor(issueId, run.runId)),
      effects: next.started?.effects ?? (yield* effects.newest(issueId)),
    };
  });

  /** Asks a question, then waits until it is closed or the time is over. */
  const ask = Effect.fnUntraced(function* (
    caller: CallingWorker,
    { issueId, waitSeconds = 0, ...input }: typeof AskArguments.Encoded,
  ) {
    const listener = waitSeconds === 0 ? null : yield* workers.listen(caller.agentId);
    const until = (yield* Clock.currentTimeMillis) + waitSeconds * 1_000;
    const about = issueId ?? (yield* heldIssue(caller));
    const asked = yield* Effect.catchTag(questions.ask(about, input), "QuestionClosed", (refusal) =>
      Effect.flatMap(issues.get(about), ({ status }) =>
        Effect.fail(
          new Explained({
            refusal,
            detail: `The issue is ${status.toLowerCase()}. Comment, or create a new issue.`,
          }),
        ),
      ),
    );
    let { question } = asked;
    for (;;) {
      const left = until - (yield* Clock.currentTimeMillis);
      if (question.status !== "open" || listener === null || left <= 0) return question;
      yield* listener.wait(Math.min(left, rereadMillis));
      question = yield* questions.get(question.id);
    }
  }, Effect.scoped);

  return { ask, claim, held };
});

export const make: Effect.Effect<
  ReadonlyArray<ServiceTool>,
  never,
  | Agents.Agents
  | Attachments.Attachments
  | Comments.Comments
  | IssueEffects.IssueEffects
  | Issues.Issues
  | Questions.Questions
  | Runs.Runs
  | Workers.Workers
> = Effect.gen(function* () {
  const agents = yield* Agents.Agents;
  const workers = yield* Workers.Workers;
  const issues = yield* Issues.Issues;
  const { ask, claim, held } = yield* steps;
  const handedIn = yield* LastHandIn.make;

  return [
    define({
      name: "whoami",
      title: "Get your identity",
      description:
        "Returns the agent that you are, the projects that your key may see (null for all), whether your tools are listed (direct) or found by search_tools (search), and your live runs. Use it if you need your agent id or lost a run.",
      takes: Schema.Struct({}),
      annotations: reads,
      run: Effect.fnUntraced(function* (_, caller) {
        const { projects } = yield* Principal.CurrentPrincipal;
        const { agentId, toolMode } = yield* agentOf(caller);
        const runs = yield* workers.ofAgent(agentId);
        const { callsNeedRun } = yield* Effect.catchTag(agents.get(agentId), "NotFound", () =>
          Effect.succeed({ callsNeedRun: false }),
        );
        return { agentId, projects, toolMode: yield* toolMode, callsNeedRun, runs };
      }),
    }),
    define({
      name: "work_next",
      title: "Get work",
      description:
        "Picks up your next issue and starts a run, which you hold until work_finish. Returns the run, the issue, its newest comments, its attachments and answered questions. If there is no issue, run is null, reason is nothing, notBefore, awaitingAnswer, agentPaused, projectPaused, busy or runEnded, and retryAfterSeconds says when to call again.",
      takes: NextArguments,
      annotations: adds,
      isAlwaysLoaded: true,
      run: Effect.fnUntraced(function* ({ waitSeconds = 0, ...options }, caller) {
        const by = yield* agentOf(caller);
        const { leaseSeconds, runId } = options;
        const next =
          runId === undefined
            ? yield* claim(by, waitSeconds, options)
            : yield* workers.takeOver(by.agentId, by.worker, runId, {
                leaseSeconds: leaseSeconds ?? 900,
              });
        return next.run === null ? Idle.answer(next, runId) : yield* held(next);
      }),
    }),
    define({
      name: "work_turn",
      title: "Take a turn",
      description:
        "Reports progress and renews your run. Call it between two steps of your work. Returns whether to continue or to stop, the run, comments by others since your last turn, and changes of texts that you may have read. After stop, leave the issue as it is and call work_next.",
      takes: TurnArguments,
      texts: { note: "What you do now, 1 to 2,000 characters." },
      parameters: turnParameters,
      annotations: updates,
      isAlwaysLoaded: true,
      run: Effect.fnUntraced(function* ({ runId, takeOver = false, ...input }, caller) {
        const { agentId, worker } = yield* agentOf(caller);
        if (!takeOver) return yield* workers.turn(agentId, worker, runId, input);
        if (runId === undefined) {
          return yield* Errors.InvalidRequest.at("runId", "is required with takeOver");
        }
        const taken = yield* workers.takeOver(agentId, worker, runId);
        return taken.run === null
          ? { action: "wait", ...Idle.answer(taken, runId) }
          : yield* workers.turn(agentId, worker, taken.run.runId, input);
      }),
    }),
    define({
      name: "ask",
      title: "Ask a person",
      description:
        "Asks a person a question about your issue. Use it for decisions that you cannot make. Until a blocking question is answered, no agent picks the issue up: keep working, or hand in as released and get the issue again with the answer. Returns the question, with the answer if it came within waitSeconds.",
      takes: AskArguments,
      texts: {
        blocking: "Whether the issue waits for the answer. Default: true.",
        expiresInSeconds: "Seconds until the question expires, 60 to 2,592,000. Default: never.",
        kind: "`text`: any text. `choice`: one of `options`. `confirm`: `yes` or `no`. Default: `text`.",
        options: "2 to 10 different texts of 1 to 200 characters, only for the kind `choice`.",
        onExpiry:
          "`pause` pauses the issue, `continue` lets agents pick it up. Default: `continue`.",
        key: "Your key for the question, 1 to 64 characters. An open question with it is returned instead of a new one.",
      },
      annotations: adds,
      isAlwaysLoaded: true,
      run: Effect.fnUntraced(function* (input, caller) {
        return yield* ask(yield* agentOf(caller), input);
      }),
    }),
    define({
      name: "work_finish",
      title: "Hand the issue in",
      description:
        "Finishes your run and hands its issue in. Use outcome review if a person has to check the result (the usual case), resolved if no check is needed, released to give the issue back or to wait for an answer, and failed if you cannot do it. While a blocking question is open, review and resolved become released. Say in comment what you did and how you checked it. Returns the issue.",
      takes: FinishArguments,
      parameters: finishParameters,
      texts: {
        outcome: "`failed` pauses the issue until a person resumes it, unless `retry` is true.",
        retry: "With `failed`: try the issue again after a delay.",
        retryAfterSeconds:
          "With `released`: seconds until the issue may be picked up again, 0 to 604,800. Default: 0.",
        keepAttempts: "With `released`: do not reset the number of attempts.",
        exitCode: "The exit code of your command.",
        comment: "Your comment on the issue, 1 to 65,536 characters.",
      },
      annotations: adds,
      isAlwaysLoaded: true,
      run: Effect.fnUntraced(function* ({ runId, ...input }, caller) {
        const { agentId, worker } = yield* agentOf(caller);
        const { handedInAs, id, questionIds } = yield* Effect.catch(
          workers.finish(agentId, worker, input, runId),
          (refusal) => handedIn(agentId, refusal),
        );
        return {
          ...(yield* issues.getBrief(id)),
          ...(handedInAs === undefined ? {} : { handedInAs }),
          ...(questionIds === undefined ? {} : { questionIds }),
        };
      }),
    }),
  ];
});
