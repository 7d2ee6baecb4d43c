import { Array, Context, Effect, Layer, Option, type Scope } from "effect";
import type { Forbidden } from "../access/AccessErrors.ts";
import * as Principal from "../access/Principal.ts";
import { type NoRun, RunEnded } from "../agents/AgentErrors.ts";
import { Agents } from "../agents/Agents.ts";
import { AgentStore } from "../agents/AgentStore.ts";
import { isLive, type Run, type RunRow, type StopReason } from "../agents/Run.ts";
import {
  type InvalidRequest,
  type LimitExceeded,
  NotFound,
  type StorageError,
} from "../CommonErrors.ts";
import * as Span from "../internal/Span.ts";
import type { ChangedIssue } from "../issues/Issue.ts";
import type { Held } from "../issues/IssueErrors.ts";
import { IssueStore } from "../issues/IssueStore.ts";
import { LeaseExpiry } from "../issues/LeaseExpiry.ts";
import { ProjectStore } from "../issues/ProjectStore.ts";
import * as Timestamp from "../Timestamp.ts";
import { Transactor } from "../Transactor.ts";
import type { Finish, HeartbeatAnswer, TurnAnswer } from "./Heartbeat.ts";
import { type ClaimRequest, Claims } from "./internal/Claims.ts";
import * as Takeover from "./internal/Takeover.ts";
import { type Listener, WorkBell } from "./internal/WorkBell.ts";
import type { Worker } from "./internal/Worker.ts";
import * as WorkerFence from "./internal/WorkerFence.ts";
import type { StopNotice } from "./internal/WorkerFence.ts";
import * as WorkerRuns from "./internal/WorkerRuns.ts";
import { Runs } from "./Runs.ts";

export type { Listener } from "./internal/WorkBell.ts";
export type { StopNotice } from "./internal/WorkerFence.ts";
export type { Worker } from "./internal/Worker.ts";

/** A run in the form that its worker gets. */
export type HeldRun = Pick<Run, "attempt" | "leaseExpiresAt" | "issueId"> & {
  readonly runId: string;
};

/** A live run of the agent in the form for workers that may take it over. */
export interface OtherRun extends HeldRun, Pick<Run, "startedAt"> {
  /** The last renewal that was stored, at most 10 seconds before the last call of its worker. */
  readonly lastSeenAt: Timestamp.Timestamp;
}

type Started = HeartbeatAnswer["started"][number];

/** The next run of a worker, or the reason why there is none. */
export type Next =
  | {
      readonly run: HeldRun;
      /** The facts of a new run; null for a run that continues. */
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
      /** The runs because of which a worker is busy; with `nothing`, the agent's other live runs. */
      readonly runs: ReadonlyArray<OtherRun>;
    };

/** The run that a call of a worker acts for. */
export interface Acting {
  /** Its live run, or an ended one that fences it; null for none. */
  readonly run: Pick<RunRow, "id" | "agentId" | "issueId"> | null;
  /** The live runs of a worker that has to name one of them; otherwise empty. */
  readonly several: ReadonlyArray<string>;
}

type CurrentPrincipal = Principal.CurrentPrincipal;
type Denied = Forbidden | NotFound | StorageError;

/** The answer to a turn, with the run that it is about. */
export type WorkerTurn = Omit<TurnAnswer, "toolsRevision"> & { readonly runId: string };

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
    /**
     * Ends an active run of the agent and starts another one of its issue for the worker, unless the worker is
     * `busy`: it holds another run, or the holder of this one called within 60 seconds. A worker whose id is not shared
     * takes its own run over immediately.
     *
     * Fails with `RunEnded` for a run that is not active.
     */
    takeOver(
      agentId: string,
      worker: Worker,
      runId: string,
      options?: Pick<NextOptions, "leaseSeconds">,
    ): Effect.Effect<Next, Denied | InvalidRequest | RunEnded, CurrentPrincipal>;
    /** Renews the worker's active runs, and returns the leases in seconds. */
    renew(
      agentId: string,
      worker: Worker,
    ): Effect.Effect<ReadonlyArray<number>, StorageError, CurrentPrincipal>;
    /**
     * Returns the runs that the worker has to stop, until a turn or finish acknowledges them; for a
     * worker with a shared id, until 15 minutes after that.
     */
    notices(
      agentId: string,
      worker: Worker,
    ): Effect.Effect<ReadonlyArray<StopNotice>, StorageError, CurrentPrincipal>;
    /**
     * Like `Runs.turn`, for the worker's run or for `runId`. Fails with `Held` for the run of another worker. A
     * worker with a shared id that names no run gets its stop and acknowledges nothing.
     */
    turn(
      agentId: string,
      worker: Worker,
      runId?: string,
    ): Effect.Effect<WorkerTurn, Denied | Held | NoRun, CurrentPrincipal>;
    /**
     * Like `Runs.finish`, for the worker's run or for `runId`. Fails with `Held` for the run of another worker, and
     * with `RunEnded` for a worker with a shared id that has a stop and names no run.
     */
    finish(
      agentId: string,
      worker: Worker,
      input: typeof Finish.Encoded,
      runId?: string,
    ): Effect.Effect<
      ChangedIssue,
      Denied | Held | NoRun | RunEnded | InvalidRequest,
      CurrentPrincipal
    >;
    /**
     * Releases the worker's runs in 60 seconds unless a request names them in the meantime: its
     * session was deleted.
     */
    leave(agentId: string, worker: Worker): Effect.Effect<void, StorageError>;
    /**
     * Listens, until the scope closes, for events that may give the agent an issue to claim. The
     * expiry of a lease is not such an event.
     */
    listen(agentId: string): Effect.Effect<Listener, never, Scope.Scope>;
    /** Returns the run that a call of the worker acts for. */
    acting(agentId: string, worker: Worker): Effect.Effect<Acting, StorageError, CurrentPrincipal>;
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

      const expiry = yield* LeaseExpiry;
      const held = yield* WorkerRuns.make;
      const { acknowledge, lift, namedRun, ofAgent, onlyRun, ownRun, runsOf } = held;
      const replace = yield* Takeover.make(held);

      const notices = Effect.fnUntraced(function* (agentId: string, worker: Worker) {
        const now = yield* Timestamp.now;
        return WorkerFence.notices(worker, yield* runsOf(agentId, worker), now);
      });

      /** The stop of a call that does not say which of the processes that share the worker made it. */
      const sharedStop = Effect.fnUntraced(function* (
        agentId: string,
        worker: Worker,
        runId: string | undefined,
      ) {
        if (!worker.isShared || runId !== undefined) return undefined;
        return (yield* notices(agentId, worker))[0];
      });

      const runFor = (agentId: string, worker: Worker, runId: string | undefined) =>
        runId === undefined ? onlyRun(agentId, worker) : namedRun(agentId, worker, runId);

      const turn = Span.fn("Workers.turn")(function* (
        agentId: string,
        worker: Worker,
        runId?: string,
      ): Effect.fn.Return<WorkerTurn, Denied | Held | NoRun, CurrentPrincipal> {
        const stopped = (runId: string, reason: StopReason): WorkerTurn => ({
          action: "stop",
          reason,
          comments: [],
          runId,
        });
        const stop = yield* sharedStop(agentId, worker, runId);
        if (stop !== undefined) return stopped(stop.runId, stop.reason);
        const run = yield* runFor(agentId, worker, runId);
        const answer = yield* runs.turn(agentId, run.id).pipe(
          Effect.map(({ action, comments, reason }) => ({
            action,
            reason,
            comments,
            runId: run.id,
          })),
          Effect.catchTag("RunEnded", ({ reason }) => Effect.succeed(stopped(run.id, reason))),
        );
        if (answer.action === "stop") yield* acknowledge(worker, run);
        return answer;
      });

      const finish = Span.fn("Workers.finish")(function* (
        agentId: string,
        worker: Worker,
        input: typeof Finish.Encoded,
        runId?: string,
      ) {
        const stop = yield* sharedStop(agentId, worker, runId);
        if (stop !== undefined) return yield* new RunEnded(stop);
        const run = yield* runFor(agentId, worker, runId);
        return yield* Effect.tapErrorTag(runs.finish(agentId, run.id, input), "RunEnded", () =>
          acknowledge(worker, run),
        );
      });

      const nothing = (
        reason: Extract<Next, { readonly run: null }>["reason"],
        retryAfterSeconds: number,
        others: ReadonlyArray<RunRow> = [],
      ): Next => ({ run: null, reason, retryAfterSeconds, runs: others.map(toOther) });

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
        return isAwaiting
          ? nothing("awaitingAnswer", idleSeconds)
          : nothing("nothing", idleSeconds, yield* ofAgent(agentId));
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
        for (const run of known) if (run.status !== "ended") yield* expiry.record(run, now);
        if ((yield* agentStore.heartbeat(agentId, now)) === null) {
          yield* agents.ensure(agentId);
          yield* agentStore.heartbeat(agentId, now);
        }
        const [started] = yield* claims.upTo(1, request, now);
        yield* lift(worker, known);
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
        if (running.some(({ status }) => status === "stopping")) {
          return nothing("runEnded", idleSeconds);
        }
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

      const takeOver = Span.fn("Workers.takeOver")(function* (
        id: string,
        worker: Worker,
        runId: string,
        { leaseSeconds }: Pick<NextOptions, "leaseSeconds"> = {},
      ): Effect.fn.Return<Next, Denied | InvalidRequest | RunEnded, CurrentPrincipal> {
        yield* Principal.requireActingFor(id);
        const agentId = yield* agents.admit(id);
        const taken = yield* transact(replace(agentId, worker, runId, leaseSeconds));
        if ("ended" in taken) return yield* taken.ended;
        return "busy" in taken
          ? nothing("busy", taken.retryAfterSeconds, taken.busy)
          : { run: toHeld(taken.run), started: null };
      });

      const acting = Effect.fnUntraced(function* (
        agentId: string,
        worker: Worker,
      ): Effect.fn.Return<Acting, StorageError, CurrentPrincipal> {
        if (worker.runId !== null) {
          return { run: yield* ownRun(agentId, worker.runId), several: [] };
        }
        const now = yield* Timestamp.now;
        const known = yield* runsOf(agentId, worker);
        const running = known.filter((run) => isLive(run, now));
        return running.length > 1
          ? { run: null, several: running.map(({ id }) => id) }
          : { run: WorkerFence.fencing(known, now) ?? running[0] ?? null, several: [] };
      });

      return Workers.of({
        next,
        takeOver,
        renew: held.renew,
        notices,
        turn,
        finish,
        leave: held.leave,
        listen,
        acting,
        ofAgent: (agentId) => Effect.map(ofAgent(agentId), Array.map(toHeld)),
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

const toOther = (run: RunRow): OtherRun => ({
  ...toHeld(run),
  startedAt: run.startedAt,
  lastSeenAt: WorkerRuns.lastSeenAt(run),
});
