import { Context, Effect, Layer, Option, Result } from "effect";
import type { Forbidden } from "../access/AccessErrors.ts";
import * as Principal from "../access/Principal.ts";
import * as Actor from "../Actor.ts";
import { Agents } from "../agents/Agents.ts";
import { AgentStore } from "../agents/AgentStore.ts";
import {
  isLive,
  type Run,
  type RunOutcome,
  type RunRow,
  type RunStatus,
  type StopReason,
} from "../agents/Run.ts";
import { RunEnded } from "../agents/RunErrors.ts";
import { RunStore } from "../agents/RunStore.ts";
import {
  type InvalidRequest,
  type StorageError,
  getOrNotFound,
  NotFound,
} from "../CommonErrors.ts";
import * as Id from "../Id.ts";
import * as Input from "../internal/Input.ts";
import * as Span from "../internal/Span.ts";
import { toComment } from "../issues/Comments.ts";
import { CommentStore } from "../issues/CommentStore.ts";
import { IssueView } from "../issues/internal/IssueView.ts";
import { Timeline } from "../issues/internal/Timeline.ts";
import { Transitions } from "../issues/internal/Transitions.ts";
import type { Issue } from "../issues/Issue.ts";
import * as IssueLifecycle from "../issues/IssueLifecycle.ts";
import { type Claimable, IssueStore } from "../issues/IssueStore.ts";
import * as Page from "../Page.ts";
import * as Timestamp from "../Timestamp.ts";
import { Transactor } from "../Transactor.ts";
import { AgentTools } from "./AgentTools.ts";
import { Finish, Heartbeat, type HeartbeatAnswer, type TurnAnswer } from "./Heartbeat.ts";

type CurrentPrincipal = Principal.CurrentPrincipal;
type Denied = Forbidden | NotFound | StorageError;

/**
 * Runs: an agent picks issues up at its heartbeat, stops at turn boundaries when told to, and hands
 * them in. The run is the only lock, and its lease is judged when it is read.
 */
export class Runs extends Context.Service<
  Runs,
  {
    /** An agent that is not known is registered. */
    heartbeat(
      agentId: string,
      input?: typeof Heartbeat.Encoded,
    ): Effect.Effect<HeartbeatAnswer, Denied | InvalidRequest, CurrentPrincipal>;
    /** Renews the lease. A run that was told to stop ends by being told so here. */
    turn(
      agentId: string,
      runId: string,
    ): Effect.Effect<TurnAnswer, Denied | RunEnded, CurrentPrincipal>;
    /** Answers the issue as it is then. A run that was told to stop ends by being refused. */
    finish(
      agentId: string,
      runId: string,
      input: typeof Finish.Encoded,
    ): Effect.Effect<Issue, Denied | RunEnded | InvalidRequest, CurrentPrincipal>;
    /** Newest first unless told otherwise. */
    list(
      agentId: string,
      request?: Page.PageRequest & { readonly status?: RunStatus | undefined },
    ): Effect.Effect<Page.Page<Run>, NotFound | InvalidRequest | StorageError, CurrentPrincipal>;
    /** Ends runs whose lease is over, for the record: they hold nothing any more. */
    readonly endExpired: Effect.Effect<number, StorageError>;
  }
>()("@quartermaster/core/runs/Runs") {
  static readonly layerNoDeps = Layer.effect(
    Runs,
    Effect.gen(function* () {
      const store = yield* RunStore;
      const issues = yield* IssueStore;
      const comments = yield* CommentStore;
      const agents = yield* Agents;
      const agentStore = yield* AgentStore;
      const tools = yield* AgentTools;
      const view = yield* IssueView;
      const transitions = yield* Transitions;
      const timeline = yield* Timeline;
      const { transact } = yield* Transactor;
      const newId = yield* Id.generator;
      const decodeHeartbeat = Input.decoder(Heartbeat);
      const decodeFinish = Input.decoder(Finish);

      /** Ends a run, and writes on its issue's timeline why, unless the run's own finish does. */
      const end = Effect.fnUntraced(function* (
        run: RunRow,
        how: { readonly reason: StopReason; readonly outcome?: RunOutcome },
        actor: Actor.Actor,
        now: string,
      ) {
        const { reason, outcome = null } = how;
        yield* store.update([
          { ...run, status: "ended", endedAt: now, stopReason: reason, outcome },
        ]);
        if (outcome !== null) return;
        const kind = reason === "leaseExpired" ? "leaseExpired" : "stopped";
        if (Option.isNone(yield* issues.get(run.issueId))) return;
        yield* timeline.record(actor, [
          {
            issue: { id: run.issueId, projectId: run.projectId },
            kind,
            data: kind === "stopped" ? { runId: run.id, reason } : { runId: run.id },
          },
        ]);
      });

      const expire = (run: RunRow, now: string) =>
        end(run, { reason: "leaseExpired" }, Actor.system, now);

      const claim = Effect.fnUntraced(function* (
        agentId: string,
        { commentSeq, isAbandoned, issue }: Claimable,
        leaseSeconds: number,
        now: string,
      ) {
        // What `claimable` answers has neither open blockers nor a live run.
        const facts = { issue, openBlockers: [], liveRun: null };
        const runId = yield* newId("run");
        const change = IssueLifecycle.pickUp(facts, { id: runId, agentId }, now);
        if (change === null) return null;
        if (isAbandoned) {
          const former = yield* store.ofIssue(issue.id);
          if (Option.isSome(former)) yield* expire(former.value, now);
        }
        const leaseExpiresAt = Timestamp.addSeconds(now, leaseSeconds);
        yield* store.insert([
          {
            id: runId,
            agentId,
            issueId: issue.id,
            projectId: issue.projectId,
            status: "active",
            outcome: null,
            startedAt: now,
            leaseExpiresAt,
            endedAt: null,
            leaseSeconds,
            stopReason: null,
            commentSeq,
          },
        ]);
        const row = yield* transitions.apply(facts, change, { type: "Agent", id: agentId });
        return { runId, leaseExpiresAt, issue: yield* view.render(row) };
      });

      const heartbeat = Span.fn("Runs.heartbeat")(function* (
        id: string,
        input: typeof Heartbeat.Encoded = {},
      ) {
        const principal = yield* Principal.requireActingFor(id);
        const { projects } = principal;
        const body = yield* decodeHeartbeat(input);
        const agentId = yield* agents.admit(id);
        const leaseSeconds = body.leaseSeconds ?? 300;
        const named = new Set(body.runs);
        const answer = yield* Effect.gen(function* () {
          const now = yield* Timestamp.now;
          if (!(yield* agentStore.heartbeat(agentId, now))) {
            yield* agents.ensure(agentId);
            yield* agentStore.heartbeat(agentId, now);
          }
          const renewed: Array<RunRow> = [];
          const stop: Array<HeartbeatAnswer["stop"][number]> = [];
          for (const run of yield* store.notEnded(agentId)) {
            const { id: runId, issueId } = run;
            if (!Principal.sees(principal, run.projectId)) continue;
            if (!isLive(run, now)) {
              yield* expire(run, now);
              if (named.delete(runId)) stop.push({ runId, issueId, reason: "leaseExpired" });
            } else if (run.status === "stopping") {
              named.delete(runId);
              stop.push({ runId, issueId, reason: run.stopReason ?? "unknown" });
            } else if (named.delete(runId)) {
              renewed.push({
                ...run,
                leaseSeconds,
                leaseExpiresAt: Timestamp.addSeconds(now, leaseSeconds),
              });
            }
          }
          yield* store.update(renewed);
          for (const runId of named) {
            const run = Option.getOrNull(yield* store.get(runId));
            stop.push(
              run?.agentId === agentId && Principal.sees(principal, run.projectId)
                ? { runId, issueId: run.issueId, reason: run.stopReason ?? "unknown" }
                : { runId, issueId: null, reason: "unknown" },
            );
          }
          const capacity = body.capacity ?? 1;
          const candidates =
            capacity === 0 ? [] : yield* issues.claimable(agentId, projects, capacity, now);
          const started = yield* Effect.forEach(candidates, (candidate) =>
            claim(agentId, candidate, leaseSeconds, now),
          );
          return {
            agentId,
            started: started.filter((one) => one !== null),
            renewed: renewed.map((run) => ({ runId: run.id, leaseExpiresAt: run.leaseExpiresAt })),
            stop,
          };
        }).pipe(transact);
        return { ...answer, toolsRevision: yield* tools.revision(agentId) };
      });

      /**
       * The agent's run, if it still holds its issue. If it does not, or was told to stop, that is
       * what is answered, and kept: a refusal must not undo it.
       */
      const holding = Effect.fnUntraced(function* (agentId: string, runId: string, now: string) {
        const run = yield* getOrNotFound("run", runId, store.get(runId));
        const principal = yield* Principal.CurrentPrincipal;
        if (run.agentId !== agentId || !Principal.sees(principal, run.projectId)) {
          return yield* new NotFound({ resource: "run", id: runId });
        }
        if (run.status === "ended") {
          return Result.fail({ run, acknowledged: false, reason: run.stopReason ?? "unknown" });
        }
        if (!isLive(run, now)) {
          yield* expire(run, now);
          return Result.fail({ run, acknowledged: false, reason: "leaseExpired" as const });
        }
        if (run.status === "active") return Result.succeed(run);
        const reason = run.stopReason ?? "unknown";
        yield* end(run, { reason }, { type: "Agent", id: agentId }, now);
        return Result.fail({ run, acknowledged: true, reason });
      });

      const commentsFor = Effect.fnUntraced(function* (run: RunRow) {
        const rows = yield* comments.list(run.issueId, {
          limit: 500,
          order: "asc",
          after: run.commentSeq,
        });
        const byOthers = rows.filter(
          ({ authorType, authorId }) => authorType !== "Agent" || authorId !== run.agentId,
        );
        return { seen: rows.at(-1)?.seq ?? run.commentSeq, comments: byOthers.map(toComment) };
      });

      const turn = Span.fn("Runs.turn")(function* (agentId: string, runId: string) {
        yield* Principal.requireActingFor(agentId);
        yield* agents.exists(agentId);
        const answer: Result.Result<
          Omit<TurnAnswer, "toolsRevision">,
          RunEnded
        > = yield* Effect.gen(function* () {
          const now = yield* Timestamp.now;
          const held = yield* holding(agentId, runId, now);
          if (Result.isFailure(held)) {
            const { run, acknowledged, reason } = held.failure;
            if (!acknowledged) return Result.fail(new RunEnded({ reason }));
            const { comments } = yield* commentsFor(run);
            return Result.succeed({ action: "stop" as const, reason, comments });
          }
          const run = held.success;
          const { seen, comments } = yield* commentsFor(run);
          const leaseExpiresAt = Timestamp.addSeconds(now, run.leaseSeconds);
          yield* store.update([{ ...run, commentSeq: seen, leaseExpiresAt }]);
          return Result.succeed({ action: "continue" as const, reason: null, comments });
        }).pipe(transact);
        const told = yield* Effect.fromResult(answer);
        return { ...told, toolsRevision: yield* tools.revision(agentId) };
      });

      const finish = Span.fn("Runs.finish")(function* (
        agentId: string,
        runId: string,
        input: typeof Finish.Encoded,
      ) {
        yield* Principal.requireActingFor(agentId);
        const { outcome, comment } = yield* decodeFinish(input);
        yield* agents.exists(agentId);
        const actor: Actor.Actor = { type: "Agent", id: agentId };
        const answer = yield* Effect.gen(function* () {
          const now = yield* Timestamp.now;
          const held = yield* holding(agentId, runId, now);
          if (Result.isFailure(held)) {
            return Result.fail(new RunEnded({ reason: held.failure.reason }));
          }
          const run = held.success;
          const facts = yield* view.facts(run.issueId, now);
          if (comment != null) {
            const row = yield* comments.insert({
              id: yield* newId("cmt"),
              issueId: run.issueId,
              content: comment,
              authorType: "Agent",
              authorId: agentId,
              createdAt: now,
            });
            yield* timeline.record(actor, [
              { issue: facts.issue, kind: "commented", data: { commentId: row.id } },
            ]);
          }
          const change = IssueLifecycle.finish(facts, run, outcome, now);
          yield* end(run, { reason: reasonOf(outcome), outcome }, actor, now);
          const row = yield* transitions.apply({ ...facts, liveRun: null }, change, actor);
          return Result.succeed(yield* view.render(row));
        }).pipe(transact);
        return yield* Effect.fromResult(answer);
      });

      const list = Span.fn("Runs.list")(function* (
        agentId: string,
        request: Page.PageRequest & { readonly status?: RunStatus | undefined } = {},
      ) {
        const { projects } = yield* Principal.CurrentPrincipal;
        const now = yield* Timestamp.now;
        const { status } = request;
        const page = yield* Page.read(
          { ...request, defaultOrder: "desc", query: ["runs", agentId, status] },
          (slice) =>
            Effect.andThen(
              agents.exists(agentId),
              store.list({ agentId, status, projects, now }, slice),
            ),
        );
        return Page.map(page, (run) => toRun(run, now));
      });

      const endExpired = Effect.gen(function* () {
        const now = yield* Timestamp.now;
        const runs = yield* store.expired(now, 500);
        yield* Effect.forEach(runs, (run) => expire(run, now), { discard: true });
        return runs.length;
      }).pipe(transact);

      return Runs.of({ heartbeat, turn, finish, list, endExpired });
    }),
  );
}

/** What a finished run answers to who asks it again. */
const reasonOf = (outcome: RunOutcome): StopReason => {
  if (outcome === "resolved") return "resolved";
  return outcome === "failed" ? "paused" : "statusChanged";
};

/** A run as it is at the moment `now`: one whose lease is over has ended. */
const toRun = (row: RunRow, now: string): Run => {
  const over = row.status !== "ended" && !isLive(row, now);
  return {
    id: row.id,
    agentId: row.agentId,
    issueId: row.issueId,
    status: over ? "ended" : row.status,
    outcome: row.outcome,
    startedAt: row.startedAt,
    leaseExpiresAt: row.leaseExpiresAt,
    endedAt: over ? row.leaseExpiresAt : row.endedAt,
  };
};
