import { Effect, Option } from "effect";
import * as Principal from "../../access/Principal.ts";
import { NoRun } from "../../agents/AgentErrors.ts";
import { isReleasing } from "../../agents/Releasing.ts";
import { isLive, type RunRow } from "../../agents/Run.ts";
import { RunStore } from "../../agents/RunStore.ts";
import { NotFound } from "../../CommonErrors.ts";
import { Held } from "../../issues/IssueErrors.ts";
import * as Timestamp from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import type { Worker } from "./Worker.ts";
import * as WorkerFence from "./WorkerFence.ts";

/**
 * Every call of a worker renews its lease. The shortest time between two stored renewals, in
 * seconds; less for a short lease.
 */
const renewalSeconds = ({ leaseSeconds }: RunRow) => Math.min(10, leaseSeconds / 3);

/** Seconds from the deletion of a session to the release of its runs. */
const releaseSeconds = 60;

/** The time of the last stored renewal of a run that is active. */
export const lastSeenAt = ({ leaseExpiresAt, leaseSeconds }: RunRow): Timestamp.Timestamp =>
  Timestamp.addSeconds(leaseExpiresAt, -leaseSeconds);

/** Whether the worker identifies exactly one process. */
const isAlone = ({ isShared, runId }: Worker): boolean => !isShared && runId === null;

/** The runs of workers and their renewal. `WorkerFence` has what follows their end. */
export const make = Effect.gen(function* () {
  const store = yield* RunStore;
  const fence = yield* WorkerFence.make;
  const { transact } = yield* Transactor;

  /** The agent's run with this id, if the principal may see it. */
  const ownRun = Effect.fnUntraced(function* (agentId: string, runId: string) {
    const principal = yield* Principal.CurrentPrincipal;
    const run = Option.getOrNull(yield* store.get(runId));
    return run?.agentId === agentId && Principal.sees(principal, run.projectId) ? run : null;
  });

  /** The worker's runs, newest first: live ones, and ended ones that still fence it or are noticed. */
  const runsOf = Effect.fnUntraced(function* (agentId: string, worker: Worker) {
    if (worker.runId === null) return yield* store.ofWorker(agentId, worker.id);
    const run = yield* ownRun(agentId, worker.runId);
    return run === null ? [] : [run];
  });

  const live = Effect.fnUntraced(function* (agentId: string, worker: Worker) {
    const now = yield* Timestamp.now;
    return (yield* runsOf(agentId, worker)).filter((run) => isLive(run, now));
  });

  /** Changes a run that is active and live when it is read again in the transaction. */
  const whileActive = (id: string, now: Timestamp.Timestamp, change: (run: RunRow) => RunRow) =>
    Effect.flatMap(store.get(id), (found) => {
      const run = Option.getOrNull(found);
      return run?.status === "active" && isLive(run, now)
        ? store.update([change(run)])
        : Effect.void;
    });

  const renew = Effect.fnUntraced(function* (agentId: string, worker: Worker) {
    const now = yield* Timestamp.now;
    const active = (yield* runsOf(agentId, worker)).filter(
      (run) => run.status === "active" && isLive(run, now),
    );
    const renewed = (run: RunRow) => Timestamp.addSeconds(now, run.leaseSeconds);
    // Moves the run of a heartbeat to the worker that names it: see `WorkerFence.notices`.
    const due = active.filter(
      (run) =>
        run.worker === null ||
        isReleasing(run) ||
        Timestamp.addSeconds(run.leaseExpiresAt, renewalSeconds(run)) <= renewed(run),
    );
    if (due.length > 0) {
      const extended = (run: RunRow): RunRow => ({
        ...run,
        leaseExpiresAt: run.leaseExpiresAt < renewed(run) ? renewed(run) : run.leaseExpiresAt,
        worker: run.worker ?? worker.id,
        releaseAt: null,
      });
      yield* transact(
        Effect.forEach(due, ({ id }) => whileActive(id, now, extended), { discard: true }),
      );
    }
    return active.map(({ leaseSeconds }) => leaseSeconds);
  });

  /** Shortens the leases of a worker that cannot call again, so that its runs are released. */
  const leave = Effect.fnUntraced(function* (agentId: string, worker: Worker) {
    const now = yield* Timestamp.now;
    const latest = Timestamp.addSeconds(now, releaseSeconds);
    const released = (run: RunRow): RunRow => {
      const releaseAt = run.leaseExpiresAt < latest ? run.leaseExpiresAt : latest;
      return { ...run, leaseExpiresAt: releaseAt, releaseAt };
    };
    yield* transact(
      Effect.flatMap(store.ofWorker(agentId, worker.id), (runs) =>
        Effect.forEach(runs, ({ id }) => whileActive(id, now, released), { discard: true }),
      ),
    );
  });

  /**
   * Moves the run of a heartbeat to the worker that names it. Reads it again: it may have ended, or
   * have got a worker.
   */
  const adopt = (agentId: string, runId: string, worker: Worker) =>
    transact(
      Effect.gen(function* () {
        const run = Option.getOrNull(yield* store.get(runId));
        if (run === null || run.status === "ended" || run.worker !== null) return;
        yield* fence.lift(worker, yield* store.ofWorker(agentId, worker.id));
        yield* store.update([{ ...run, worker: worker.id }]);
      }),
    );

  /** The run that a call names. Fails with `Held` if another worker holds it. */
  const namedRun = Effect.fnUntraced(function* (agentId: string, worker: Worker, runId: string) {
    const now = yield* Timestamp.now;
    const run = yield* ownRun(agentId, runId);
    if (run === null) return yield* new NotFound({ resource: "run", id: runId });
    if (runId === worker.runId || run.worker === worker.id || !isLive(run, now)) return run;
    if (run.worker !== null) return yield* new Held({ runId, agentId });
    if (worker.runId === null) yield* adopt(agentId, runId, worker);
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

  /**
   * The run of a call that names none: the run whose end the worker has to acknowledge, otherwise
   * its newest live run.
   */
  const onlyRun = Effect.fnUntraced(function* (agentId: string, worker: Worker) {
    const now = yield* Timestamp.now;
    const runs = yield* runsOf(agentId, worker);
    const run =
      (isAlone(worker) ? runs.find((run) => WorkerFence.isUnacknowledged(run, now)) : undefined) ??
      (worker.runId === null ? runs.find((run) => isLive(run, now)) : runs[0]);
    if (run !== undefined) return run;
    const others = yield* ofAgent(agentId);
    return yield* new NoRun({ runIds: others.map(({ id }) => id) });
  });

  return { ...fence, leave, live, namedRun, ofAgent, onlyRun, ownRun, renew, runsOf };
});
