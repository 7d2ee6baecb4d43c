import { Context, Effect, Layer, Option, type Scope, Struct } from "effect";
import { Forbidden } from "../access/AccessErrors.ts";
import * as Principal from "../access/Principal.ts";
import { NoRun, type RunEnded } from "../agents/AgentErrors.ts";
import { Agents } from "../agents/Agents.ts";
import { AgentStore } from "../agents/AgentStore.ts";
import { isLive, type Run, type RunRow, type StopReason } from "../agents/Run.ts";
import { RunStore } from "../agents/RunStore.ts";
import {
  type InvalidRequest,
  type LimitExceeded,
  NotFound,
  type StorageError,
} from "../CommonErrors.ts";
import * as Span from "../internal/Span.ts";
import type { Issue } from "../issues/Issue.ts";
import { IssueStore } from "../issues/IssueStore.ts";
import { ProjectStore } from "../issues/ProjectStore.ts";
import * as Timestamp from "../Timestamp.ts";
import { Transactor } from "../Transactor.ts";
import type { Finish, TurnAnswer } from "./Heartbeat.ts";
import { type Claimant, Claims } from "./internal/Claims.ts";
import { type Listener, WorkBell } from "./internal/WorkBell.ts";
import { Runs } from "./Runs.ts";

export type { Listener } from "./internal/WorkBell.ts";

/**
 * Who holds runs by its calls, without a host that sends heartbeats: a process that calls tools.
 *
 * A run belongs to a worker from its claim until the worker has learned of its end: by a turn, by its
 * finish, or by claiming the next one. In between, every call renews it, and `notices` has what the
 * worker has to learn.
 */
export interface Worker {
  /** Names it among the workers of its agent. */
  readonly id: string;
  /** The run that the worker was started for; null if it claims its own. */
  readonly runId: string | null;
  /** Whether several processes may be behind the id. */
  readonly isShared: boolean;
}

/** A run that the worker has to stop, or has lost. */
export interface StopNotice {
  readonly runId: string;
  readonly issueId: string;
  readonly reason: StopReason;
}

/** A run as its worker holds it. */
export type HeldRun = Pick<Run, "attempt" | "leaseExpiresAt" | "issueId"> & {
  readonly runId: string;
};

/** What a worker works on next, or why there is nothing. */
export type Next =
  | { readonly run: HeldRun }
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
      /** Seconds until it makes sense to ask again. */
      readonly retryAfterSeconds: number;
      /** The live runs of a worker that is busy, else none. */
      readonly runs: ReadonlyArray<HeldRun>;
    };

type CurrentPrincipal = Principal.CurrentPrincipal;
type Denied = Forbidden | NotFound | StorageError;

export interface NextOptions {
  /** Claims in this project only. */
  readonly projectId?: string | undefined;
  /** Seconds that the lease of a new run lasts without a call. Default: 900. */
  readonly leaseSeconds?: number | undefined;
  /** Whether a worker with a shared id gets its live run again, instead of `busy`. */
  readonly resume?: boolean | undefined;
}

const defaultLeaseSeconds = 900;

/** A renewal is stored at most so often, in seconds: each call of a worker renews. */
const renewalSeconds = 10;

/** Seconds after which a worker that found nothing should ask again. */
const idleSeconds = 30;

/** The work loop of agents that call tools. Every method acts for the agent of the current principal. */
export class Workers extends Context.Service<
  Workers,
  {
    /** Fails with `Forbidden` unless the run that the worker names is the agent's and visible. */
    admit(
      agentId: string,
      worker: Worker,
    ): Effect.Effect<void, Forbidden | StorageError, CurrentPrincipal>;
    /**
     * Returns the worker's live run again, or claims an issue and starts a run. A worker with a shared
     * id that holds a run is `busy`, unless `resume` is true.
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
    /** Returns the runs that the worker has to stop, as long as no turn or finish acknowledged it. */
    notices(
      agentId: string,
      worker: Worker,
    ): Effect.Effect<ReadonlyArray<StopNotice>, StorageError, CurrentPrincipal>;
    /** As `Runs.turn`, of the worker's run or of `runId`, which the worker takes over. */
    turn(
      agentId: string,
      worker: Worker,
      runId?: string,
    ): Effect.Effect<TurnAnswer, Denied | NoRun, CurrentPrincipal>;
    /** As `Runs.finish`, of the worker's run or of `runId`, which the worker takes over. */
    finish(
      agentId: string,
      worker: Worker,
      input: typeof Finish.Encoded,
      runId?: string,
    ): Effect.Effect<Issue, Denied | NoRun | RunEnded | InvalidRequest, CurrentPrincipal>;
    /**
     * Listens, until the scope closes, for what may give the agent an issue to claim. A lease that
     * expires is no such event.
     */
    listen(agentId: string): Effect.Effect<Listener, never, Scope.Scope>;
    /** Returns the live runs of the worker, newest first. */
    live(
      agentId: string,
      worker: Worker,
    ): Effect.Effect<ReadonlyArray<RunRow>, StorageError, CurrentPrincipal>;
  }
>()("@quartermaster/core/runs/Workers") {
  static readonly layerNoDeps = Layer.effect(
    Workers,
    Effect.gen(function* () {
      const store = yield* RunStore;
      const issues = yield* IssueStore;
      const agents = yield* Agents;
      const agentStore = yield* AgentStore;
      const claims = yield* Claims;
      const runs = yield* Runs;
      const { listen } = yield* WorkBell;
      const { isPaused } = yield* ProjectStore;
      const { transact } = yield* Transactor;

      /** The agent's run of that id, if the principal may see it. */
      const ownRun = Effect.fnUntraced(function* (agentId: string, runId: string) {
        const principal = yield* Principal.CurrentPrincipal;
        const run = Option.getOrNull(yield* store.get(runId));
        return run?.agentId === agentId && Principal.sees(principal, run.projectId) ? run : null;
      });

      const admit = Effect.fnUntraced(function* (agentId: string, { runId }: Worker) {
        if (runId === null || (yield* ownRun(agentId, runId)) !== null) return;
        return yield* new Forbidden({ requiredRole: null });
      });

      /** The worker's runs, newest first: live ones, and ended ones that it does not know to have ended. */
      const runsOf = Effect.fnUntraced(function* (agentId: string, worker: Worker) {
        if (worker.runId === null) return yield* store.ofWorker(agentId, worker.id);
        const run = yield* ownRun(agentId, worker.runId);
        return run === null ? [] : [run];
      });

      const live = Effect.fnUntraced(function* (agentId: string, worker: Worker) {
        const now = yield* Timestamp.now;
        return (yield* runsOf(agentId, worker)).filter((run) => isLive(run, now));
      });

      const renew = Effect.fnUntraced(function* (agentId: string, worker: Worker) {
        const now = yield* Timestamp.now;
        const active = (yield* runsOf(agentId, worker)).filter(
          (run) => run.status === "active" && isLive(run, now),
        );
        const renewed = (run: RunRow) => Timestamp.addSeconds(now, run.leaseSeconds);
        const due = active.filter(
          (run) => Timestamp.addSeconds(run.leaseExpiresAt, renewalSeconds) <= renewed(run),
        );
        if (due.length > 0) {
          // Read again: another call may have ended or renewed the run in the meantime.
          const extend = ({ id }: RunRow) =>
            Effect.flatMap(store.get(id), (found) => {
              const run = Option.getOrNull(found);
              return run?.status === "active" &&
                isLive(run, now) &&
                run.leaseExpiresAt < renewed(run)
                ? store.update([{ ...run, leaseExpiresAt: renewed(run) }])
                : Effect.void;
            });
          yield* transact(Effect.forEach(due, extend, { discard: true }));
        }
        return active.map(({ leaseSeconds }) => leaseSeconds);
      });

      const notices = Effect.fnUntraced(function* (agentId: string, worker: Worker) {
        const now = yield* Timestamp.now;
        return (yield* runsOf(agentId, worker)).flatMap((run): ReadonlyArray<StopNotice> => {
          const { id: runId, issueId, stopReason } = run;
          if (run.status === "stopping" && isLive(run, now)) {
            return [{ runId, issueId, reason: stopReason ?? "unknown" }];
          }
          // An ended run keeps its worker only if it lost its lease.
          const isLost = run.status !== "ended" || run.worker !== null;
          return isLost && !isLive(run, now) ? [{ runId, issueId, reason: "leaseExpired" }] : [];
        });
      });

      /** Notes that the worker knows of the end of these runs. */
      const acknowledge = (ended: ReadonlyArray<RunRow>) =>
        ended.length === 0
          ? Effect.void
          : transact(
              Effect.forEach(
                ended,
                ({ id }) =>
                  Effect.flatMap(store.get(id), (found) => {
                    const run = Option.getOrNull(found);
                    return run?.status === "ended" && run.worker !== null
                      ? store.update([{ ...run, worker: null }])
                      : Effect.void;
                  }),
                { discard: true },
              ),
            );

      /** The run that a call is about. A run that is named becomes the worker's. */
      const runFor = Effect.fnUntraced(function* (agentId: string, worker: Worker, runId?: string) {
        if (runId === undefined) {
          const now = yield* Timestamp.now;
          const found = yield* runsOf(agentId, worker);
          return found.find((run) => isLive(run, now)) ?? found[0] ?? (yield* new NoRun());
        }
        const run = yield* ownRun(agentId, runId);
        if (run === null) return yield* new NotFound({ resource: "run", id: runId });
        if (worker.runId === null && run.status !== "ended" && run.worker !== worker.id) {
          yield* transact(store.update([{ ...run, worker: worker.id }]));
        }
        return run;
      });

      const turn = Span.fn("Workers.turn")(function* (
        agentId: string,
        worker: Worker,
        runId?: string,
      ) {
        const run = yield* runFor(agentId, worker, runId);
        return yield* Effect.catchTag(runs.turn(agentId, run.id), "RunEnded", ({ reason }) =>
          Effect.as(acknowledge([run]), {
            action: "stop" as const,
            reason,
            toolsRevision: "",
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

      /** When the agent has no issue to claim: whether it has one that is deferred, or that waits for an answer. */
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

      const claim = Effect.fnUntraced(function* (claimant: Claimant) {
        const { agentId } = claimant;
        const now = yield* Timestamp.now;
        if (!(yield* agentStore.heartbeat(agentId, now))) {
          yield* agents.ensure(agentId);
          yield* agentStore.heartbeat(agentId, now);
        }
        return yield* claims.upTo(1, claimant, now);
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
        const held = yield* live(agentId, worker);
        const [first] = held;
        if (first !== undefined) {
          return worker.isShared && !resume
            ? nothing("busy", idleSeconds, held)
            : { run: toHeld(first) };
        }
        if (worker.runId !== null) return nothing("runEnded", idleSeconds);
        const claimant = { agentId, leaseSeconds, worker: worker.id, projectId };
        const [started] = yield* transact(claim(claimant));
        if (started === undefined) {
          return yield* idle(agentId, projectId === undefined ? projects : [projectId], projectId);
        }
        yield* acknowledge(yield* store.ofWorker(agentId, worker.id));
        return {
          run: {
            ...Struct.pick(started, ["runId", "attempt", "leaseExpiresAt"]),
            issueId: started.issue.id,
          },
        };
      });

      return Workers.of({ admit, next, renew, notices, turn, finish, live, listen });
    }),
  );
}

const toHeld = ({ attempt, id, issueId, leaseExpiresAt }: RunRow): HeldRun => ({
  runId: id,
  attempt,
  leaseExpiresAt,
  issueId,
});
