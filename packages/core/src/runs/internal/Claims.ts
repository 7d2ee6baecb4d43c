import { Context, Effect, Layer, Option } from "effect";
import { CurrentKey } from "../../access/CurrentKey.ts";
import * as Principal from "../../access/Principal.ts";
import { Agents } from "../../agents/Agents.ts";
import { AgentStore } from "../../agents/AgentStore.ts";
import { CurrentProcess } from "../../agents/CurrentProcess.ts";
import type { RunWorker } from "../../agents/Run.ts";
import { RunStore } from "../../agents/RunStore.ts";
import type { LimitExceeded, StorageError } from "../../CommonErrors.ts";
import * as NewestEffects from "../../effects/NewestEffects.ts";
import * as Id from "../../Id.ts";
import * as ClosedQuestions from "../../issues/ClosedQuestions.ts";
import { toComment } from "../../issues/Comment.ts";
import { CommentStore } from "../../issues/CommentStore.ts";
import { type Claimable, IssueStore } from "../../issues/IssueStore.ts";
import { IssueView } from "../../issues/IssueView.ts";
import { LeaseExpiry } from "../../issues/LeaseExpiry.ts";
import { QuestionExpiry } from "../../issues/QuestionExpiry.ts";
import { QuestionStore } from "../../issues/QuestionStore.ts";
import * as IssueLifecycle from "../../issues/rules/IssueLifecycle.ts";
import { Transitions } from "../../issues/Transitions.ts";
import * as Timestamp from "../../Timestamp.ts";
import type { HeartbeatAnswer } from "../Heartbeat.ts";

type Started = HeartbeatAnswer["started"][number];
type Candidates = ReadonlyArray<Claimable>;

interface Beat {
  readonly wasHalted: boolean;
  readonly first: Candidates | undefined;
}

/** The number of comments that a started run gets. */
const commentsShown = 20;

/** A claim to decide: see `RunRow` for `worker`. `projectId` restricts it to one project. */
export interface ClaimRequest {
  readonly agentId: string;
  readonly leaseSeconds: number;
  readonly worker: string | null;
  readonly projectId?: string | undefined;
}

/** Heartbeats of agents, and the issues that they may claim. */
const beating = Effect.gen(function* () {
  const issues = yield* IssueStore;
  const agents = yield* Agents;
  const agentStore = yield* AgentStore;

  const candidates = (
    capacity: number,
    { agentId, projectId }: ClaimRequest,
    now: Timestamp.Timestamp,
  ) =>
    Effect.flatMap(Principal.CurrentPrincipal, ({ projects }) =>
      issues.claimable(agentId, projectId === undefined ? projects : [projectId], capacity, now),
    );

  const beat = Effect.fnUntraced(function* (
    capacity: number,
    request: ClaimRequest,
    now: Timestamp.Timestamp,
  ) {
    const { agentId } = request;
    const [wasHalted, first] = yield* Effect.all(
      [
        agentStore.heartbeat(agentId, now),
        capacity === 0 ? Effect.undefined : candidates(capacity, request, now),
      ],
      { concurrency: 2 },
    );
    if (wasHalted !== null) return { wasHalted, first };
    yield* agents.ensure(agentId);
    yield* agentStore.heartbeat(agentId, now);
    return { wasHalted: false, first };
  });

  return { beat, candidates };
});

/** The pick-up of issues by agents, inside the caller's transaction. */
export class Claims extends Context.Service<
  Claims,
  {
    /**
     * Stores the agent's heartbeat, and registers an unknown agent. With a capacity it also reads the issues
     * that `upTo` claims first, which a storage does in the same round trip.
     */
    beat(
      capacity: number,
      request: ClaimRequest,
      now: Timestamp.Timestamp,
    ): Effect.Effect<Beat, LimitExceeded | StorageError, Principal.CurrentPrincipal>;
    /**
     * Claims up to `capacity` issues. An issue whose last run died too recently, or too often, is
     * replaced by the next one.
     */
    upTo(
      capacity: number,
      request: ClaimRequest,
      now: Timestamp.Timestamp,
      first?: Candidates,
    ): Effect.Effect<ReadonlyArray<Started>, StorageError, Principal.CurrentPrincipal>;
  }
>()("@quartermaster/core/runs/internal/Claims") {
  static readonly layerNoDeps = Layer.effect(
    Claims,
    Effect.gen(function* () {
      const store = yield* RunStore;
      const { beat, candidates } = yield* beating;
      const comments = yield* CommentStore;
      const view = yield* IssueView;
      const transitions = yield* Transitions;
      const expiry = yield* LeaseExpiry;
      const questions = yield* QuestionStore;
      const questionExpiry = yield* QuestionExpiry;
      const closedQuestions = yield* ClosedQuestions.make;
      const newestEffects = yield* NewestEffects.make;
      const newId = yield* Id.generator;

      /** The newest comments, oldest first. */
      const newest = (issueId: string, commentSeq: number) =>
        commentSeq === 0
          ? Effect.succeed([])
          : Effect.map(
              comments.list(issueId, { limit: commentsShown, order: "desc", after: null }),
              (rows) =>
                rows
                  .toReversed()
                  .filter(({ deletedAt }) => deletedAt === null)
                  .map(toComment),
            );

      /** The facts of a candidate: nothing else prevents its claim. */
      const factsOf = Effect.fnUntraced(function* (
        { hasQuestions, isAbandoned, issue }: Claimable,
        now: Timestamp.Timestamp,
      ) {
        const expired = isAbandoned ? yield* store.ofIssue(issue.id) : Option.none();
        const expiredRun = Option.getOrNull(expired);
        const openQuestions = hasQuestions ? yield* questions.open(issue.id) : [];
        const known = { openBlockers: [], liveRun: null, agentPaused: false, projectPaused: false };
        const facts = { issue, expiredRun, openQuestions, ...known, callUntil: null };
        return yield* questionExpiry.settle(yield* expiry.settle(facts, now), now);
      });

      /**
       * Starts a run. If an earlier run expired, records its end first; null if that forbids a run
       * for now.
       */
      const claim = Effect.fnUntraced(function* (
        { agentId, leaseSeconds, worker }: ClaimRequest,
        candidate: Claimable,
        now: Timestamp.Timestamp,
      ) {
        const facts = yield* factsOf(candidate, now);
        const { issue } = facts;
        const runId = yield* newId("run");
        const change = IssueLifecycle.pickUp(facts, { id: runId, agentId }, now);
        if (change === null) return null;
        const closed = candidate.hasQuestions ? yield* closedQuestions(issue.id, runId, now) : [];
        const leaseExpiresAt = Timestamp.addSeconds(now, leaseSeconds);
        const attempt = issue.attempts + 1;
        const row = yield* transitions.apply(facts, change, { type: "Agent", id: agentId });
        yield* store.insert([
          {
            id: runId,
            agentId,
            issueId: issue.id,
            issueKey: issue.key,
            projectId: issue.projectId,
            status: "active",
            outcome: null,
            attempt,
            startedAt: now,
            leaseExpiresAt,
            endedAt: null,
            leaseSeconds,
            stopReason: null,
            commentSeq: candidate.commentSeq,
            versionSeq: candidate.versionSeq,
            worker,
            acknowledgedAt: null,
            resumedAt: null,
            isFenceLifted: false,
            releaseAt: null,
            keyId: yield* CurrentKey,
            process: processOf(worker, yield* CurrentProcess),
            note: null,
            exitCode: null,
            commentId: null,
          },
        ]);
        return {
          runId,
          leaseExpiresAt,
          attempt,
          issue: yield* view.render(row),
          comments: yield* newest(issue.id, candidate.commentSeq),
          questions: closed,
          effects: candidate.hasEffects ? yield* newestEffects(issue.id) : [],
        };
      });

      const upTo = Effect.fnUntraced(function* (
        capacity: number,
        request: ClaimRequest,
        now: Timestamp.Timestamp,
        first?: Candidates,
      ) {
        const started: Array<Started> = [];
        let known = first;
        let wanted = capacity;
        while (wanted > 0) {
          const next = known ?? (yield* candidates(wanted, request, now));
          known = undefined;
          const claimed = yield* Effect.forEach(next, (candidate) =>
            claim(request, candidate, now),
          );
          started.push(...claimed.filter((run) => run !== null));
          wanted = claimed.filter((run) => run === null).length;
        }
        return started;
      });

      return Claims.of({ beat, upTo });
    }),
  );
}

/** The process with the name that its worker has, if it has one. See `Worker`. */
export const processOf = (worker: string | null, process: RunWorker): RunWorker | null => {
  const name = /^name:[^:]*:(.+)$/.exec(worker ?? "")?.[1] ?? process.name;
  const known = { ...process, name };
  return Object.values(known).every((value) => value === null) ? null : known;
};
