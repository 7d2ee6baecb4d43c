import type { Methods } from "../contract/Methods.ts";
import type { HeartbeatAnswer } from "../contract/Schemas.ts";
import { type Halt, type RemoteTask, Stopped, type TaskOptions } from "../Task.ts";
import { now, sleep } from "./Platform.ts";
import * as Run from "./Run.ts";

/**
 * The loop of one agent. Heartbeats renew the runs that it holds and pick up issues for a waiting
 * caller.
 */
export interface Loop {
  /** Waits for issues and returns up to `most`; returns none once the loop is over. */
  claim(most: number): Promise<ReadonlyArray<RemoteTask>>;
  /** Stops renewing the lease of a run. */
  drop(runId: string): void;
  /** Stops the heartbeats and releases the runs that are still held. */
  close(): Promise<void>;
}

interface PendingClaim extends PromiseWithResolvers<ReadonlyArray<RemoteTask>> {
  readonly most: number;
}

const checked = ({ capacity = 1, leaseSeconds = 300, ...options }: TaskOptions) => {
  const { heartbeatSeconds = Math.min(10, leaseSeconds / 3) } = options;
  if (!(heartbeatSeconds > 0 && heartbeatSeconds < leaseSeconds)) {
    throw new RangeError(
      `heartbeatSeconds must be more than 0 and less than leaseSeconds, which is ${leaseSeconds}.`,
    );
  }
  return { capacity, leaseSeconds, heartbeatSeconds };
};

/** Milliseconds for which the end of a loop waits for its last heartbeat. */
const lastMillis = 5_000;

const release = (run: Run.Run, reason: unknown) => {
  run.abort(reason);
  return run.task.finish({ outcome: "released" });
};

/** Reports a halt after the last heartbeat, which reported `reported`, so that its runs give their attempts back. */
const reportHalt = async (
  { agents }: Methods,
  by: { readonly agentId: string; readonly leaseSeconds: number },
  halt: Halt | null,
  reported: string,
): Promise<void> => {
  if (halt === null || JSON.stringify(halt.halted) === reported) return;
  const signal = AbortSignal.timeout(lastMillis);
  await agents
    .heartbeat({ ...by, capacity: 0, halted: halt.halted }, { signal })
    .catch(() => undefined);
};

/**
 * Invariants: issues are picked up only while a caller waits for them, or they are released; every
 * heartbeat names all held runs, so that their leases are renewed and their stops arrive.
 */
export const make = (methods: Methods, agentId: string, options: TaskOptions): Loop => {
  const { capacity, heartbeatSeconds, leaseSeconds } = checked(options);
  const { once = false, onHeartbeat, signal } = options;
  const rhythm = heartbeatSeconds * 1_000;
  const runs = new Map<string, Run.Run>();
  let isClosed = false;
  /** The first permanent failure of a heartbeat. */
  let failure: { readonly error: unknown } | null = null;
  let pending: PendingClaim | null = null;
  /** With `once`: whether a heartbeat has already claimed issues. */
  let isLast = false;
  /**
   * The earliest time of the next claim. It keeps an issue that is released repeatedly from causing
   * a busy loop.
   */
  let claimAt = 0;
  let woken = new AbortController();
  let beating: Promise<void> | null = null;
  /** The halt that the last heartbeat reported, as JSON. */
  let reported = "null";

  const isOver = () => isClosed || signal?.aborted === true;
  const goesOn = () => !isClosed && failure === null;
  const wake = () => woken.abort();

  const keeper: Run.Keeper = {
    methods,
    agentId,
    leaseSeconds,
    isOver,
    gone: (runId, outcome) => {
      if (!runs.delete(runId)) return;
      if (outcome === "released") claimAt = now() + rhythm;
      // After a finish the agent claims the next issue immediately.
      if (pending !== null) wake();
    },
  };

  const settle = (tasks: ReadonlyArray<RemoteTask>) => {
    pending?.resolve(tasks);
    pending = null;
  };

  const take = (answer: HeartbeatAnswer, sentAt: number) => {
    for (const { runId } of answer.renewed) {
      const run = runs.get(runId);
      if (run !== undefined) run.expiresAt = sentAt + leaseSeconds * 1_000;
    }
    for (const { reason, runId } of answer.stop) runs.get(runId)?.abort(new Stopped(reason));
    const tasks = answer.started.map((started) => {
      const run = Run.make(keeper, started, sentAt);
      runs.set(started.runId, run);
      return run.task;
    });
    // If the signal aborted during the request, `close` releases the issues.
    if (!isOver() && (tasks.length > 0 || isLast)) settle(tasks);
  };

  /** Sends a heartbeat. Returns the milliseconds until the next one. */
  const beat = async (): Promise<number> => {
    const sentAt = now();
    const isClaiming = pending !== null && !isOver() && sentAt >= claimAt;
    const halt = options.halt?.() ?? null;
    const free = (halt?.capacity ?? capacity) - runs.size;
    const wanted = isClaiming ? Math.max(0, Math.min(pending?.most ?? 0, free)) : 0;
    try {
      const answer = await methods.agents.heartbeat(
        {
          agentId,
          capacity: wanted,
          leaseSeconds,
          runs: [...runs.keys()],
          ...(halt === null ? {} : { halted: halt.halted }),
        },
        { signal: Run.timeout(leaseSeconds) },
      );
      isLast ||= once && wanted > 0;
      reported = JSON.stringify(halt?.halted ?? null);
      take(answer, sentAt);
      onHeartbeat?.(answer, null);
      return pending === null ? rhythm : Math.min(rhythm, Math.max(0, claimAt - now()) || rhythm);
    } catch (error) {
      onHeartbeat?.(null, error);
      // The lease of an issue whose start was lost with the response expires. Its run is not taken
      // over: runs that this process does not know may belong to other processes of the same agent.
      if (Run.isAway(error)) return Math.min(leaseSeconds * 150, Run.pauseAfter(error));
      failure = { error };
      for (const run of runs.values()) run.abort(error);
      pending?.reject(error);
      pending = null;
      return rhythm;
    }
  };

  const expire = () => {
    for (const [runId, run] of runs) {
      if (now() < run.expiresAt) continue;
      run.abort(new Stopped("leaseExpired"));
      keeper.gone(runId, null);
    }
  };

  const beats = async () => {
    while (goesOn()) {
      woken = new AbortController();
      const pause = await beat();
      expire();
      await sleep(pause, woken.signal);
    }
  };

  const stop = () => {
    for (const run of runs.values()) run.abort(signal?.reason);
    settle([]);
  };
  signal?.addEventListener("abort", stop);

  return {
    claim: async (most) => {
      if (isOver() || isLast) return [];
      if (failure !== null) throw failure.error;
      pending = { most, ...Promise.withResolvers<ReadonlyArray<RemoteTask>>() };
      const { promise } = pending;
      if (beating === null) beating = beats();
      else wake();
      return promise;
    },
    drop: (runId) => keeper.gone(runId, null),
    close: async () => {
      isClosed = true;
      signal?.removeEventListener("abort", stop);
      wake();
      await beating;
      // If the run has been handed in by now, its release fails, which is harmless.
      await Promise.allSettled([...runs.values()].map((run) => release(run, signal?.reason)));
      await reportHalt(methods, { agentId, leaseSeconds }, options.halt?.() ?? null, reported);
    },
  };
};
