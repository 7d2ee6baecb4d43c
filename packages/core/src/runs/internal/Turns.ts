import { Context, Effect, Layer, Result } from "effect";
import type { Forbidden } from "../../access/AccessErrors.ts";
import * as Principal from "../../access/Principal.ts";
import type { Actor } from "../../Actor.ts";
import { RunEnded } from "../../agents/AgentErrors.ts";
import { CurrentRun } from "../../agents/CurrentRun.ts";
import * as Fence from "../../agents/Fence.ts";
import type { StopReason } from "../../agents/Run.ts";
import * as RunEnd from "../../agents/RunEnd.ts";
import { RunStore } from "../../agents/RunStore.ts";
import { InvalidRequest, type NotFound, type StorageError } from "../../CommonErrors.ts";
import { CoreOptions } from "../../CoreOptions.ts";
import * as Id from "../../Id.ts";
import * as Input from "../../Input.ts";
import * as Span from "../../internal/Span.ts";
import { unchanged } from "../../issues/Comment.ts";
import { CommentStore } from "../../issues/CommentStore.ts";
import type { ChangedIssue, IssueRow } from "../../issues/Issue.ts";
import { IssueView } from "../../issues/IssueView.ts";
import * as Mentioning from "../../issues/Mentioning.ts";
import { carriedOut } from "../../issues/rules/AgentRules.ts";
import * as IssueLifecycle from "../../issues/rules/IssueLifecycle.ts";
import { Timeline } from "../../issues/Timeline.ts";
import { Transitions } from "../../issues/Transitions.ts";
import * as Timestamp from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import type { UsageKey } from "../../usage/UsageErrors.ts";
import { AgentTools } from "../AgentTools.ts";
import { Finish, Turn, type TurnAnswer } from "../Heartbeat.ts";
import { HeldRuns } from "./HeldRuns.ts";
import * as RunNotes from "./RunNotes.ts";
import * as UnseenTexts from "./UnseenTexts.ts";
import * as UsageRecording from "./UsageRecording.ts";

type Denied = Forbidden | NotFound | StorageError | RunEnded | UsageKey;

/**
 * Returns the function with which an agent comments on its issue, inside the caller's transaction.
 */
const commenting = Effect.gen(function* () {
  const comments = yield* CommentStore;
  const timeline = yield* Timeline;
  const mention = yield* Mentioning.make;
  const newId = yield* Id.generator;

  return Effect.fnUntraced(function* (
    issue: { readonly id: string; readonly projectId: string },
    content: string,
    actor: Actor,
    runId: string,
    now: Timestamp.Timestamp,
  ) {
    const row = yield* comments.insert({
      id: yield* newId("cmt"),
      issueId: issue.id,
      content,
      authorType: "Agent",
      authorId: actor.id,
      createdAt: now,
      ...unchanged,
      sourceId: runId,
    });
    yield* mention(Mentioning.ofComment(row, null));
    yield* timeline.record(actor, [{ issue, kind: "commented", data: { commentId: row.id } }]);
    return row.id;
  });
});

/** Turns and finishes of the runs that agents hold. */
export class Turns extends Context.Service<
  Turns,
  {
    turn(
      agentId: string,
      runId: string,
      input?: typeof Turn.Encoded,
    ): Effect.Effect<TurnAnswer, Denied | InvalidRequest, Principal.CurrentPrincipal>;
    finish(
      agentId: string,
      runId: string,
      input: typeof Finish.Encoded,
    ): Effect.Effect<ChangedIssue, Denied | InvalidRequest, Principal.CurrentPrincipal>;
  }
>()("@quartermaster/core/runs/internal/Turns") {
  static readonly layerNoDeps = Layer.effect(
    Turns,
    Effect.gen(function* () {
      const store = yield* RunStore;
      const unseen = yield* UnseenTexts.make;
      const comment = yield* commenting;
      const tools = yield* AgentTools;
      const view = yield* IssueView;
      const transitions = yield* Transitions;
      const held = yield* HeldRuns;
      const fence = yield* Fence.make;
      const end = yield* RunEnd.make;
      const { maxAttempts } = yield* CoreOptions;
      const { transact } = yield* Transactor;
      const decode = Input.decoder(Finish);
      const decodeTurn = Input.decoder(Turn);
      const notes = yield* RunNotes.make;
      const recordUsage = yield* UsageRecording.make;

      const takeTurn = Effect.fnUntraced(function* (
        agentId: string,
        runId: string,
        usage: Turn["usage"],
        note: string | null,
      ) {
        const now = yield* Timestamp.now;
        // Even if the turn is refused.
        if (usage?.length) yield* recordUsage(agentId, runId, usage, now);
        // The notice of a stop ends the run, which then may no longer have notes.
        const mayHaveNote = note !== null && (yield* notes.mayHave(agentId, runId, now));
        const holding = yield* held.holding(agentId, runId, now, unseen);
        // After `holding`, which may change the issue: see `Transactor` for the order.
        const isNoted = note !== null && mayHaveNote && (yield* notes.put(runId, note, now));
        if (Result.isFailure(holding)) {
          const { isFirstNotice, reason, run } = holding.failure;
          if (!isFirstNotice) return Result.fail(new RunEnded({ runId, reason }));
          const { seen: _, ...texts } = yield* unseen(run);
          yield* notes.turned(run, isNoted, texts.comments, now);
          return Result.succeed({ action: "stop" as const, reason, ...texts });
        }
        const [current, { seen, ...texts }] = holding.success;
        const run = { ...current, ...(mayHaveNote ? { note } : {}) };
        yield* notes.turned(run, isNoted, texts.comments, now);
        const leaseExpiresAt = Timestamp.addSeconds(now, run.leaseSeconds);
        yield* store.update([{ ...run, ...seen, leaseExpiresAt }]);
        return Result.succeed({ action: "continue" as const, reason: null, ...texts });
      });

      const turn = Span.fn("Runs.turn")(function* (
        agentId: string,
        runId: string,
        input: typeof Turn.Encoded = {},
      ) {
        yield* Principal.requireActingFor(agentId);
        const body = yield* decodeTurn(input);
        const note = body.note == null ? null : yield* notes.scrubbed(agentId, body.note);
        const answer = yield* Effect.flatMap(
          transact(takeTurn(agentId, runId, body.usage, note)),
          (result: Result.Result<Omit<TurnAnswer, "toolsRevision">, RunEnded>) =>
            Effect.fromResult(result),
        );
        return { ...answer, toolsRevision: yield* tools.revision(agentId) };
      });

      const handIn = Effect.fnUntraced(function* (agentId: string, runId: string, body: Finish) {
        const actor: Actor = { type: "Agent", id: agentId };
        const now = yield* Timestamp.now;
        // Even if the hand-in is refused.
        if (body.usage?.length) yield* recordUsage(agentId, runId, body.usage, now);
        // `holding` judges the run of the path. A call for another run has to be allowed to write.
        if ((yield* CurrentRun)?.id !== runId) yield* fence("writes");
        const holding = yield* held.handingIn(agentId, runId, now);
        if (Result.isFailure(holding)) {
          return Result.fail(new RunEnded({ runId, reason: holding.failure.reason }));
        }
        const { agentsMay, facts, run } = holding.success;
        const commentId =
          body.comment == null
            ? null
            : yield* comment(facts.issue, body.comment, actor, runId, now);
        const carried = carriedOut(body.outcome, run, facts, agentsMay, now);
        const { outcome, questionIds } = carried;
        const retry = body.retry ?? false;
        const retryAfterSeconds = body.retryAfterSeconds ?? null;
        // A hand-in that open questions make a release changes no attempts.
        const keepAttempts = questionIds.length > 0 || (body.keepAttempts ?? false);
        const handedIn = { outcome, retry, keepAttempts, retryAfterSeconds };
        const change = IssueLifecycle.finish(facts, run, handedIn, maxAttempts, now);
        // Every change writes an issue before its run, and a blocker before its dependents: storage
        // with row locks then has no deadlock between a finish and a pause.
        const row = yield* transitions.apply({ ...facts, liveRun: null }, change, actor);
        const handedInRun = { ...run, commentId, exitCode: body.exitCode ?? null };
        yield* end(handedInRun, { reason: reasonAfter(row), outcome }, now);
        const issue = yield* view.render(row);
        const isReview = outcome === "review" && outcome !== body.outcome;
        return Result.succeed({
          ...issue,
          ...(isReview ? { handedInAs: outcome } : {}),
          ...(questionIds.length > 0 ? { handedInAs: "released" as const, questionIds } : {}),
        });
      });

      const finish = Span.fn("Runs.finish")(function* (
        agentId: string,
        runId: string,
        input: typeof Finish.Encoded,
      ) {
        yield* Principal.requireActingFor(agentId);
        const body = yield* decode(input);
        yield* checkOutcome(body);
        return yield* Effect.flatMap(
          // Also after a refusal by the fence, the transaction commits the usage.
          transact(Effect.catchTag(handIn(agentId, runId, body), "RunEnded", refusal)),
          (result: Result.Result<ChangedIssue, RunEnded>) => Effect.fromResult(result),
        );
      });

      return Turns.of({ turn, finish });
    }),
  );
}

/** The reason that later calls of a run get, derived from the issue's state when the run ended. */
const reasonAfter = ({ pausedBecause, status }: IssueRow): StopReason => {
  if (status === "Resolved") return "resolved";
  return pausedBecause === null ? "statusChanged" : "paused";
};

const refusal = (ended: RunEnded) => Effect.succeed(Result.fail(ended));

/** The outcome that each member of a hand-in needs. */
const needs = [
  ["retryAfterSeconds", "released"],
  ["keepAttempts", "released"],
  ["retry", "failed"],
] as const;

const checkOutcome = (body: Finish) => {
  const refused = needs.find(
    ([name, outcome]) => body[name] != null && body[name] !== false && body.outcome !== outcome,
  );
  return refused === undefined
    ? Effect.void
    : InvalidRequest.at(refused[0], `is only allowed with the outcome \`${refused[1]}\``);
};
