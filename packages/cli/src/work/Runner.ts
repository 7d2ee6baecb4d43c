import type { HeartbeatAnswer } from "@quartermaster/client";
import { Clock, Console, Deferred, Effect, Exit, Fiber, Queue, Result } from "effect";
import * as Api from "../Api.ts";
import type { CommandError } from "../CommandError.ts";
import * as NodeProcess from "../process/NodeProcess.ts";
import * as Execution from "./Execution.ts";
import type { Worker } from "./RunnerKey.ts";

/**
 * The loop of `quartermaster work`: heartbeats, and a fiber for each issue that one started.
 *
 * Invariants: every started issue has a fiber that hands it in; each heartbeat renews the runs of all
 * fibers, also while the runner closes; no heartbeat starts more than `concurrency` allows.
 *
 * If the response to a heartbeat is lost, no command works on the issues that it started: their leases
 * expire, and they start again with one attempt more.
 */

export interface Options extends Execution.Options {
  readonly concurrency: number;
  /** One heartbeat that starts issues; the loop ends with them. */
  readonly once: boolean;
}

/** Seconds between two heartbeats, unless a run ends in between. */
const interval = ({ leaseSeconds }: Options) => Math.min(2, leaseSeconds / 3);

/** Works until `shutdown.closing`, or to the end of what the first heartbeat started. */
const loop = Effect.fnUntraced(function* (
  worker: Worker,
  options: Options,
  shutdown: Execution.Shutdown,
) {
  const live = new Map<string, Execution.LiveRun>();
  const wake = yield* Queue.sliding<null>(1);
  let isAway = false;
  let isLast = false;
  let refusal: CommandError | null = null;

  const begin = Effect.fnUntraced(function* (
    started: HeartbeatAnswer["started"][number],
    deadline: number,
  ) {
    const { runId } = started;
    const run = { runId, deadline, told: yield* Deferred.make<string>() };
    live.set(runId, run);
    yield* Execution.execute(worker, options, started, run, shutdown).pipe(
      Effect.onExit((exit) => {
        live.delete(runId);
        // A defect: its lease expires, and the others go on.
        const defect = Exit.isFailure(exit)
          ? Console.error(`${started.issue.id} ${exit.cause}`)
          : Effect.void;
        return Effect.andThen(defect, Queue.offer(wake, null));
      }),
      Effect.forkDetach,
    );
  });

  const beat = Effect.fnUntraced(function* (capacity: number) {
    const sentAt = yield* Clock.currentTimeMillis;
    const { leaseSeconds } = options;
    const answer = yield* Api.call(
      worker.access,
      (client, call) =>
        client.agents.heartbeat(
          { agentId: worker.agentId, capacity, leaseSeconds, runs: [...live.keys()] },
          call,
        ),
      { timeoutMillis: 10_000 },
    );
    // From before the request, so that the deadline is never later than the server's.
    const deadline = sentAt + leaseSeconds * 1_000;
    for (const { runId } of answer.renewed) {
      const run = live.get(runId);
      if (run !== undefined) run.deadline = deadline;
    }
    for (const { reason, runId } of answer.stop) {
      const run = live.get(runId);
      if (run !== undefined) yield* Deferred.succeed(run.told, reason);
    }
    yield* Effect.forEach(answer.started, (started) => begin(started, deadline));
  });

  for (;;) {
    const isClosing = isLast || (yield* Deferred.isDone(shutdown.closing));
    if (isClosing && live.size === 0) break;
    const capacity = isClosing ? 0 : options.concurrency - live.size;
    const result = yield* Effect.result(beat(capacity));
    let pause = interval(options);
    if (Result.isSuccess(result)) {
      if (isAway) yield* Console.error(`${worker.access.url} is reachable again.`);
      isAway = false;
      isLast ||= options.once;
    } else if (result.failure.retryAfterSeconds === null) {
      refusal ??= result.failure;
      isLast = true;
      yield* Deferred.succeed(shutdown.closing, undefined);
    } else {
      if (!isAway) yield* Console.error(`${result.failure.message} Trying again.`);
      isAway = true;
      pause = Math.min(result.failure.retryAfterSeconds, options.leaseSeconds / 6);
    }
    const wakes = isAway ? Effect.never : Queue.take(wake);
    const closes = isClosing ? Effect.never : Deferred.await(shutdown.closing);
    // A run that ends wakes the loop for the next issue, and a shutdown for its end.
    if (!((isLast || isClosing) && live.size === 0)) {
      yield* Effect.raceAllFirst([wakes, closes, Effect.sleep(`${pause} seconds`)]);
    }
  }
  if (refusal !== null) return yield* refusal;
});

/** Runs the loop. Interruption, which is SIGTERM or SIGINT, closes it; a second signal hurries it. */
export const run = Effect.fnUntraced(function* (worker: Worker, options: Options) {
  const shutdown = {
    closing: yield* Deferred.make<void>(),
    hurry: yield* Deferred.make<void>(),
  };
  NodeProcess.atSecondSignal(() => Deferred.doneUnsafe(shutdown.hurry, Effect.void));
  const fiber = yield* Effect.forkDetach(loop(worker, options, shutdown));
  yield* Fiber.join(fiber).pipe(
    Effect.onInterrupt(() =>
      Effect.andThen(Deferred.succeed(shutdown.closing, undefined), Fiber.await(fiber)),
    ),
  );
});
