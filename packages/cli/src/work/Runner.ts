import { connect, type HeartbeatAnswer, type RemoteTask } from "@quartermaster/client";
import { Clock, Console, Deferred, Effect, type FileSystem, type Path, Redacted } from "effect";
import * as Api from "../Api.ts";
import { failed } from "../CommandError.ts";
import * as NodeProcess from "../process/NodeProcess.ts";
import { fetch } from "../Transport.ts";
import * as Breaker from "./Breaker.ts";
import * as Execution from "./Execution.ts";
import type { Worker } from "./RunnerKey.ts";

/**
 * The loop of `quartermaster work`, built on the client's loop. Heartbeats renew the leases of all
 * runs, even during shutdown, and start no more runs than `concurrency` allows.
 *
 * If the response to a heartbeat is lost, no command works on the issues that the heartbeat
 * started: their leases expire, and the issues start again with one more attempt counted.
 */

export interface Options extends Execution.Options {
  readonly concurrency: number;
  /** The number of failures in a row that halts the runner; `Infinity` for none. */
  readonly breaker: number;
  /** Exit after the issues of one heartbeat. */
  readonly once: boolean;
}

/** Seconds between two heartbeats. A run that ends in between triggers one immediately. */
const interval = ({ leaseSeconds }: Options) => Math.min(2, leaseSeconds / 3);

/** The highest number of issues that the status line counts. */
const countLimit = 500;

/** The agent's queue in words: the numbers of open and blocked issues. */
const queueOf = (worker: Worker) =>
  Api.call(worker.access, async (client, options) => {
    const count = async (status: string) => {
      const query = {
        assigneeId: worker.agentId,
        status,
        limit: countLimit,
        view: "brief" as const,
      };
      const { items, next } = await client.issues.listAcross(query, options).page();
      return next === null ? String(items.length) : `${items.length}+`;
    };
    return `${await count("Open")} queued, ${await count("WaitingOnDependency")} blocked`;
  });

/** Reports that no issue is ready. */
const sayIdle = Effect.fnUntraced(function* (worker: Worker, isOver: boolean) {
  const queue = yield* queueOf(worker);
  const what = isOver ? "No issue is ready for" : "Waiting for issues of";
  yield* Console.error(`${what} ${worker.agentId} (${queue})`);
});

/**
 * Runs the loop. Interruption by SIGTERM or SIGINT closes it; a second signal skips the grace
 * periods.
 */
export const run = Effect.fnUntraced(function* (worker: Worker, options: Options) {
  const { agentId } = worker;
  const { url } = worker.access;
  const shutdown = { closing: yield* Deferred.make<void>(), hurry: yield* Deferred.make<void>() };
  NodeProcess.atSecondSignal(() => Deferred.doneUnsafe(shutdown.hurry, Effect.void));
  const context = yield* Effect.context<FileSystem.FileSystem | Path.Path>();
  const fork = Effect.runForkWith(context);
  const counts = { running: 0, ended: 0, failed: 0 };
  let isAway = false;
  let isIdle = false;

  const onResponse = ({ started }: HeartbeatAnswer) => {
    if (isAway) fork(Console.error(`${url} is reachable again.`));
    isAway = false;
    const wasIdle = isIdle;
    isIdle = counts.running === 0 && started.length === 0;
    if (isIdle && !wasIdle && !options.once) fork(Effect.ignore(sayIdle(worker, false)));
  };
  const onError = (error: unknown) => {
    const { message, retryAfterSeconds } = Api.failure(url)(error);
    if (retryAfterSeconds === null) Deferred.doneUnsafe(shutdown.closing, Effect.void);
    else if (!isAway) fork(Console.error(`${message} Trying again.`));
    isAway = retryAfterSeconds !== null;
  };

  const clock = yield* Clock.Clock;
  const breaker = new Breaker.Breaker(options.breaker);
  let halting = Deferred.makeUnsafe<void>();

  /** Reports the end of a run to the breaker, and prints the consequence. */
  const judge = Effect.fnUntraced(function* (
    { runId }: RemoteTask,
    { kind, limit }: Execution.Ended,
    after: number,
  ) {
    const now = yield* Clock.currentTimeMillis;
    if (kind === "worked" && breaker.worked()) yield* Console.error("Working again.");
    if (kind !== "failed" || !breaker.failed({ runId, after, cause: limit }, now)) return;
    // Runs that start from now on are no longer stopped by this halt.
    Deferred.doneUnsafe(halting, Effect.void);
    halting = Deferred.makeUnsafe();
    const halted = breaker.halt(now)?.halted;
    yield* Console.error(`Halted until ${halted?.until}: ${halted?.reason}`);
  });

  const perform = (task: RemoteTask) => {
    counts.running += 1;
    const execution = Effect.gen(function* () {
      const startedAt = yield* Clock.currentTimeMillis;
      // A run that lasts proves that commands work again.
      yield* Effect.sleep(Breaker.quickMillis).pipe(
        Effect.andThen(Effect.sync(() => breaker.worked())),
        Effect.forkScoped,
      );
      const result = yield* Execution.execute(worker, options, task, { ...shutdown, halting });
      // The issue may be done now, or another one since the last run.
      if (options.worktrees !== null) yield* options.worktrees.removeDone;
      yield* judge(task, result, (yield* Clock.currentTimeMillis) - startedAt);
      return result.kind;
    }).pipe(
      Effect.scoped,
      // After a defect the lease expires. Other runs continue.
      Effect.catchCause((cause) => Effect.as(Console.error(`${task.issue.key} ${cause}`), "lost")),
      Effect.map((kind) => {
        counts.running -= 1;
        counts.ended += 1;
        if (kind === "failed" || kind === "lost") counts.failed += 1;
      }),
    );
    return Effect.runPromiseWith(context)(execution);
  };

  const stop = new AbortController();
  const key = () => Redacted.value(worker.access.key);
  // The runner may itself be the command of another runner, so it ignores QM_RUN_ID.
  const client = connect({ url, key, runId: null, fetch });
  const work = client.agent(agentId).work(perform, {
    capacity: options.concurrency,
    leaseSeconds: options.leaseSeconds,
    heartbeatSeconds: interval(options),
    once: options.once,
    halt: () => breaker.halt(clock.currentTimeMillisUnsafe()),
    signal: stop.signal,
    onHeartbeat: (answer, error) => (answer === null ? onError(error) : onResponse(answer)),
  });
  yield* Effect.tryPromise({ try: () => work, catch: Api.failure(url) }).pipe(
    Effect.onInterrupt(() => {
      Deferred.doneUnsafe(shutdown.closing, Effect.void);
      stop.abort();
      return Effect.promise(() => work.catch(() => {}));
    }),
  );
  if (!options.once) return;
  if (counts.ended === 0) return yield* Effect.ignore(sayIdle(worker, true));
  if (counts.failed > 0) {
    return yield* failed(`${counts.failed} of ${counts.ended} issues failed.`);
  }
});
