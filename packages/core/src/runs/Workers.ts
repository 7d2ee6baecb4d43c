import { Array, Context, Effect, Layer, type Scope } from "effect";
import type { Forbidden } from "../access/AccessErrors.ts";
import type { CurrentPrincipal } from "../access/Principal.ts";
import type { NoRun, RunEnded } from "../agents/AgentErrors.ts";
import { isLive, type RunRow } from "../agents/Run.ts";
import type { InvalidRequest, LimitExceeded, NotFound, StorageError } from "../CommonErrors.ts";
import type { ChangedIssue } from "../issues/Issue.ts";
import type { Held } from "../issues/IssueErrors.ts";
import * as Timestamp from "../Timestamp.ts";
import type { UsageKey } from "../usage/UsageErrors.ts";
import type { Finish, Turn } from "./Heartbeat.ts";
import type { Listener } from "./internal/Bells.ts";
import * as NextRun from "./internal/NextRun.ts";
import { WorkBell } from "./internal/WorkBell.ts";
import {
  type HeldRun,
  type Next,
  type NextOptions,
  toHeld,
  type Worker,
  type WorkerTurn,
} from "./internal/Worker.ts";
import * as WorkerFence from "./internal/WorkerFence.ts";
import type { StopNotice } from "./internal/WorkerFence.ts";
import * as WorkerRuns from "./internal/WorkerRuns.ts";
import * as WorkerTurns from "./internal/WorkerTurns.ts";

export type { Listener } from "./internal/Bells.ts";
export type {
  HeldRun,
  Next,
  NextOptions,
  OtherRun,
  Worker,
  WorkerTurn,
} from "./internal/Worker.ts";
export type { StopNotice } from "./internal/WorkerFence.ts";

/** The run that a call of a worker acts for. */
export interface Acting {
  /** Its live run, or an ended one that fences it; null for none. */
  readonly run: RunRow | null;
  /** The live runs of a worker that has to name one of them; otherwise empty. */
  readonly several: ReadonlyArray<string>;
}

type Denied = Forbidden | NotFound | StorageError;

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
      input?: typeof Turn.Encoded,
    ): Effect.Effect<
      WorkerTurn,
      Denied | Held | InvalidRequest | NoRun | UsageKey,
      CurrentPrincipal
    >;
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
      Denied | Held | NoRun | RunEnded | InvalidRequest | UsageKey,
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
      const { listen } = yield* WorkBell;
      const held = yield* WorkerRuns.make;
      const { leave, ofAgent, ownRun, renew, runsOf } = held;
      const { finish, notices, turn } = yield* WorkerTurns.make(held);
      const { next, takeOver } = yield* NextRun.make(held);

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
        renew,
        notices,
        turn,
        finish,
        leave,
        listen,
        acting,
        ofAgent: (agentId) => Effect.map(ofAgent(agentId), Array.map(toHeld)),
      });
    }),
  );
}
