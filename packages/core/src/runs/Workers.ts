import { Array, Context, Effect, Layer, Option, type Scope } from "effect";
import type { Forbidden } from "../access/AccessErrors.ts";
import * as Principal from "../access/Principal.ts";
import type { NoRun, RunEnded } from "../agents/AgentErrors.ts";
import { Agents } from "../agents/Agents.ts";
import { AgentStore } from "../agents/AgentStore.ts";
import { isLive, type Run, type RunRow } from "../agents/Run.ts";
import {
  type InvalidRequest,
  type LimitExceeded,
  NotFound,
  type StorageError,
} from "../CommonErrors.ts";
import * as Span from "../internal/Span.ts";
import type { ChangedIssue } from "../issues/Issue.ts";
import { IssueStore } from "../issues/IssueStore.ts";
import { ProjectStore } from "../issues/ProjectStore.ts";
import * as Timestamp from "../Timestamp.ts";
import { Transactor } from "../Transactor.ts";
import type { Finish, HeartbeatAnswer, Turn, TurnAnswer } from "./Heartbeat.ts";
import type { Listener } from "./internal/Bells.ts";
import { type ClaimRequest, Claims } from "./internal/Claims.ts";
import { WorkBell } from "./internal/WorkBell.ts";
import * as WorkerRuns from "./internal/WorkerRuns.ts";
import type { StopNotice, Worker } from "./internal/WorkerRuns.ts";
import { Runs } from "./Runs.ts";

export type { Listener } from "./internal/Bells.ts";
export type { StopNotice, Worker } from "./internal/WorkerRuns.ts";

/** A run in the form that its worker gets. */
export type HeldRun = Pick<Run, "attempt" | "leaseExpiresAt" | "issueId"> & {
  readonly runId: string;
};

type Started = HeartbeatAnswer["started"][number];

/** The next run of a worker, or the reason why there is none. */
export type Next =
  | {
      readonly run: HeldRun;
      /** The facts of a new run; null for a run that the worker already held. */
      readonly started: Pick<Started, "issue" | "comments" | "questions"> | null;
    }
  | {
      readonly run: null;
      readonly reason:
        | "nothing"
        | "notBefore"
        | "awaitingAnswer"
        | "agentPaused"
        | "projectPaused"
        | "busy"
        | "runEnded";
      /** Seconds after which the next call may succeed. */
      readonly retryAfterSeconds: number;
      /** The live runs of a worker that is busy; otherwise empty. */
      readonly runs: ReadonlyArray<HeldRun>;
    };

type CurrentPrincipal = Principal.CurrentPrincipal;
type Denied = Forbidden | NotFound | StorageError;

export interface NextOptions {
  /** Claims only in this project. */
  readonly projectId?: string | undefined;
  /** The duration of a new run's lease without a call, in seconds. Default: 900. */
  readonly leaseSeconds?: number | undefined;
  /** Whether a worker with a shared id gets its live run again instead of `busy`. */
  readonly resume?: boolean | undefined;
}

const defaultLeaseSeconds = 900;

/** Seconds after which a worker that found nothing should ask again. */
const idleSeconds = 30;

/** The work loop of agents that call tools. Every method acts for the agent of the current principal. */
export class Workers extends Context.Service<
  Workers,
  {
    /**
     * Returns the worker's live run again, or claims an issue and starts a run. A worker with a
     * shared id that holds a run is `busy`, unless `resume` is true.
     */
    next(
      agentId: string,
      worker: Worker,
      options?: NextOptions,
    ): Effect.Effect<Next, Denied | InvalidRequest | LimitExceeded, CurrentPrincipal>;
    /** Renews the worker's active runs, and returns the leases in seconds. */
    renew(
      agentId: string,
      worker: Worker,
    ): Effect.Effect<ReadonlyArray<number>, StorageError, CurrentPrincipal>;
    /** Returns the runs that the worker has to stop, until a turn or finish acknowledges them. */
    notices(
      agentId: string,
      worker: Worker,
    ): Effect.Effect<ReadonlyArray<StopNotice>, StorageError, CurrentPrincipal>;
    /** Like `Runs.turn`, for the worker's run or for `runId`, which the worker takes over. */
    turn(
      agentId: string,
      worker: Worker,
      runId?: string,
      input?: typeof Turn.Encoded,
    ): Effect.Effect<
      Omit<TurnAnswer, "toolsRevision">,
      Denied | NoRun | InvalidRequest,
      CurrentPrincipal
    >;
    /** Like `Runs.finish`, for the worker's run or for `runId`, which the worker takes over. */
    finish(
      agentId: string,
      worker: Worker,
      input: typeof Finish.Encoded,
      runId?: string,
    ): Effect.Effect<ChangedIssue, Denied | NoRun | RunEnded | InvalidRequest, CurrentPrincipal>;
    /**
     * Listens, until the scope closes, for events that may give the agent an issue to claim. The
     * expiry of a lease is not such an event.
     */
    listen(agentId: string): Effect.Effect<Listener, never, Scope.Scope>;
    /** Returns the live runs of the worker, newest first. */
    live(
      agentId: string,
      worker: Worker,
    ): Effect.Effect<ReadonlyArray<HeldRun>, StorageError, CurrentPrincipal>;
    /** Returns the live runs of the agent that the principal may see, oldest first. */
    ofAgent(agentId: string): Effect.Effect<ReadonlyArray<HeldRun>, StorageError, CurrentPrincipal>;
  }
>()("@quartermaster/core/runs/Workers") {
  static readonly layerNoDeps = Layer.effect(
    Workers,
    Effect.gen(function* () {
      const issues = yield* IssueStore;
      const agents = yield* Agents;
      const agentStore = yield* AgentStore;
      const claims = yield* Claims;
      const runs = yield* Runs;
      const { listen } = yield* WorkBell;
      const { isPaused } = yield* ProjectStore;
      const { transact } = yield* Transactor;

      const held = yield* WorkerRuns.make;
      const { acknowledge, live, runFor, runsOf } = held;

      const turn = Span.fn("Workers.turn")(function* (
        agentId: string,
        worker: Worker,
        runId?: string,
        input?: typeof Turn.Encoded,
      ) {
        const run = yield* runFor(agentId, worker, runId);
        return yield* Effect.catchTag(runs.turn(agentId, run.id, input), "RunEnded", ({ reason }) =>
          Effect.as(acknowledge([run]), {
            action: "stop" as const,
            reason,
            comments: [],
          }),
        );
      });

      const finish = Span.fn("Workers.finish")(function* (
        agentId: string,
        worker: Worker,
        input: typeof Finish.Encoded,
        runId?: string,
      ) {
        const run = yield* runFor(agentId, worker, runId);
        return yield* Effect.tapErrorTag(runs.finish(agentId, run.id, input), "RunEnded", () =>
          acknowledge([run]),
        );
      });

      const nothing = (
        reason: Extract<Next, { readonly run: null }>["reason"],
        retryAfterSeconds: number,
        held: ReadonlyArray<RunRow> = [],
      ): Next => ({ run: null, reason, retryAfterSeconds, runs: held.map(toHeld) });

      /**
       * The reason why the agent has no issue to claim: deferred issues, or issues that wait for an
       * answer.
       */
      const idle = Effect.fnUntraced(function* (
        agentId: string,
        projects: ReadonlyArray<string> | null,
        projectId: string | undefined,
      ) {
        const now = yield* Timestamp.now;
        const agent = Option.getOrNull(yield* agentStore.get(agentId));
        if (agent?.paused === true) return nothing("agentPaused", idleSeconds);
        if (projectId !== undefined && (yield* isPaused(projectId))) {
          return nothing("projectPaused", idleSeconds);
        }
        const until = Option.getOrNull(yield* issues.deferredUntil(agentId, projects, now));
        if (until !== null) {
          return nothing("notBefore", Math.ceil(Timestamp.secondsBetween(now, until)));
        }
        const isAwaiting = yield* issues.isAwaiting(agentId, projects, now);
        return nothing(isAwaiting ? "awaitingAnswer" : "nothing", idleSeconds);
      });

      /**
       * The worker's live runs, or the run that it claims, in one transaction because calls may be
       * concurrent.
       */
      const claim = Effect.fnUntraced(function* (request: ClaimRequest, worker: Worker) {
        const { agentId } = request;
        const now = yield* Timestamp.now;
        const known = yield* runsOf(agentId, worker);
        const running = known.filter((run) => isLive(run, now));
        if (running.length > 0 || worker.runId !== null) return { running, started: undefined };
        if ((yield* agentStore.heartbeat(agentId, now)) === null) {
          yield* agents.ensure(agentId);
          yield* agentStore.heartbeat(agentId, now);
        }
        const [started] = yield* claims.upTo(1, request, now);
        if (started !== undefined) yield* acknowledge(known);
        return { running, started };
      });

      const next = Span.fn("Workers.next")(function* (
        id: string,
        worker: Worker,
        options: NextOptions = {},
      ): Effect.fn.Return<Next, Denied | InvalidRequest | LimitExceeded, CurrentPrincipal> {
        const { projects } = yield* Principal.requireActingFor(id);
        const { leaseSeconds = defaultLeaseSeconds, projectId, resume = false } = options;
        if (projectId !== undefined && projects !== null && !projects.includes(projectId)) {
          return yield* new NotFound({ resource: "project", id: projectId });
        }
        const agentId = yield* agents.admit(id);
        const request = { agentId, leaseSeconds, worker: worker.id, projectId };
        const { running, started } = yield* transact(claim(request, worker));
        const [first] = running;
        if (first !== undefined) {
          return worker.isShared && !resume
            ? nothing("busy", idleSeconds, running)
            : { run: toHeld(first), started: null };
        }
        if (worker.runId !== null) return nothing("runEnded", idleSeconds);
        if (started === undefined) {
          return yield* idle(agentId, projectId === undefined ? projects : [projectId], projectId);
        }
        const { attempt, issue, leaseExpiresAt, runId } = started;
        return { run: { runId, attempt, leaseExpiresAt, issueId: issue.id }, started };
      });

      const { notices, renew } = held;
      return Workers.of({
        next,
        renew,
        notices,
        turn,
        finish,
        listen,
        live: (agentId, worker) => Effect.map(live(agentId, worker), Array.map(toHeld)),
        ofAgent: (agentId) => Effect.map(held.ofAgent(agentId), Array.map(toHeld)),
      });
    }),
  );
}

const toHeld = ({ attempt, id, issueId, leaseExpiresAt }: RunRow): HeldRun => ({
  runId: id,
  attempt,
  leaseExpiresAt,
  issueId,
});
