import { Effect, Option } from "effect";
import * as Principal from "../../access/Principal.ts";
import { NoRun } from "../../agents/AgentErrors.ts";
import { isLive, type RunRow, type StopReason } from "../../agents/Run.ts";
import { RunStore } from "../../agents/RunStore.ts";
import { NotFound } from "../../CommonErrors.ts";
import * as Timestamp from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";

/**
 * A process that calls tools and renews its runs with its calls, without a host that sends
 * heartbeats.
 *
 * A run belongs to a worker from its claim until the worker has learned of its end: by a turn, by
 * its finish, or by claiming the next one. In between, every call renews it, and `notices` lists
 * the runs that the worker has to stop.
 */
export interface Worker {
  /** Identifies it among the workers of its agent. */
  readonly id: string;
  /** The run that the worker was started for; null if it claims its own. */
  readonly runId: string | null;
  /** Whether several processes may share the id. */
  readonly isShared: boolean;
}

/** A run that the worker has to stop, or has lost. */
export interface StopNotice {
  readonly runId: string;
  readonly issueId: string;
  readonly reason: StopReason;
}

/**
 * Every call of a worker renews its lease. The shortest time between two stored renewals, in
 * seconds; less for a short lease.
 */
const renewalSeconds = ({ leaseSeconds }: RunRow) => Math.min(10, leaseSeconds / 3);

/** The runs of workers, their renewal, and the notices about their ends. */
export const make = Effect.gen(function* () {
  const store = yield* RunStore;
  const { transact } = yield* Transactor;

  /** The agent's run with this id, if the principal may see it. */
  const ownRun = Effect.fnUntraced(function* (agentId: string, runId: string) {
    const principal = yield* Principal.CurrentPrincipal;
    const run = Option.getOrNull(yield* store.get(runId));
    return run?.agentId === agentId && Principal.sees(principal, run.projectId) ? run : null;
  });

  /**
   * The worker's runs, newest first: live ones, and ended ones whose end the worker has not learned
   * yet.
   */
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
    // Moves the run of a heartbeat to the worker that names it: see `notices`.
    const due = active.filter(
      (run) =>
        run.worker === null ||
        Timestamp.addSeconds(run.leaseExpiresAt, renewalSeconds(run)) <= renewed(run),
    );
    if (due.length > 0) {
      // Reads again: another call may have ended or renewed the run in the meantime.
      const extend = ({ id }: RunRow) =>
        Effect.flatMap(store.get(id), (found) => {
          const run = Option.getOrNull(found);
          if (run?.status !== "active" || !isLive(run, now)) return Effect.void;
          const leaseExpiresAt =
            run.leaseExpiresAt < renewed(run) ? renewed(run) : run.leaseExpiresAt;
          return store.update([{ ...run, leaseExpiresAt, worker: run.worker ?? worker.id }]);
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
      // An ended run has a worker only if it lost its lease.
      const isLost = run.status !== "ended" || run.worker !== null;
      return isLost && !isLive(run, now) ? [{ runId, issueId, reason: "leaseExpired" }] : [];
    });
  });

  /** Records that the worker knows of the end of these runs. */
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

  /**
   * Moves a run that has not ended to the worker. Reads it again, because it may have to stop by
   * now.
   */
  const takeOver = (runId: string, { id }: Worker) =>
    transact(
      Effect.flatMap(store.get(runId), (found) => {
        const run = Option.getOrNull(found);
        return run === null || run.status === "ended"
          ? Effect.void
          : store.update([{ ...run, worker: id }]);
      }),
    );

  /** The run of a call. A run that the call names moves to the worker. */
  const runFor = Effect.fnUntraced(function* (agentId: string, worker: Worker, runId?: string) {
    if (runId === undefined) {
      const now = yield* Timestamp.now;
      const found = yield* runsOf(agentId, worker);
      return found.find((run) => isLive(run, now)) ?? found[0] ?? (yield* new NoRun());
    }
    const run = yield* ownRun(agentId, runId);
    if (run === null) return yield* new NotFound({ resource: "run", id: runId });
    if (worker.runId === null && run.worker !== worker.id) yield* takeOver(runId, worker);
    return run;
  });

  /** The live runs of all workers and heartbeats of the agent that the principal may see. */
  const ofAgent = Effect.fnUntraced(function* (agentId: string) {
    const principal = yield* Principal.CurrentPrincipal;
    const now = yield* Timestamp.now;
    return (yield* store.notEnded(agentId)).filter(
      (run) => isLive(run, now) && Principal.sees(principal, run.projectId),
    );
  });

  return { acknowledge, live, notices, ofAgent, renew, runFor, runsOf };
});
