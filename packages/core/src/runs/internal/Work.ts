import { Cause, Deferred, Effect, Exit, Schedule } from "effect";
import { InvalidRequest } from "../../CommonErrors.ts";
import type { Finish, Heartbeat, HeartbeatAnswer } from "../Heartbeat.ts";
import { Stopped, type Task, type WorkOptions } from "../Task.ts";

/**
 * The loop of `HostedAgent.work`: heartbeats, and a fiber for each issue that a heartbeat picked
 * up.
 *
 * An issue goes from `picked up` to `performing`, and from there to one of:
 * - `handed in`, with the result of the work, or as `failed` if it failed, died or returned a
 *   result that cannot be handed in. The next heartbeat follows immediately.
 * - `released`, if the work was interrupted or released it. The next heartbeat follows after the
 *   pause, so that an issue that is released repeatedly does not cause a busy loop.
 * - `stopped`, if the run no longer holds the issue. Nothing is handed in, and the next heartbeat
 *   follows immediately.
 *
 * Invariants: every picked up issue has a fiber, even when the loop is interrupted in between, so
 * that the interruption releases it; `live` contains the runs of all fibers, and every heartbeat
 * renews them.
 */

type Outcome = typeof Finish.Encoded;

type Retryable = { readonly _tag: string; readonly isRetryable?: boolean };

const isTransient = (error: Retryable) =>
  error._tag === "StorageError" && error.isRetryable === true;

/**
 * Retries transient failures of storage every second, `times` at most; by default without a limit.
 */
export const retryTransient =
  (times?: number) =>
  <A, E extends Retryable, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.retry(effect, { while: isTransient, schedule: Schedule.spaced("1 second"), times });

/** `task.finish` without a caller that could repeat it: retries transient failures three times. */
export const handIn = (task: Task, input: Outcome): ReturnType<Task["finish"]> =>
  retryTransient(3)(task.finish(input));

/**
 * The seconds between heartbeats and of the lease. Fails if the heartbeats cannot renew the lease
 * in time.
 */
export const rhythm = ({
  leaseSeconds = 300,
  heartbeatSeconds = Math.min(10, leaseSeconds / 3),
}: WorkOptions) =>
  heartbeatSeconds > 0 && heartbeatSeconds < leaseSeconds
    ? Effect.succeed({ leaseSeconds, heartbeatSeconds })
    : InvalidRequest.at(
        "heartbeatSeconds",
        `must be more than 0 and less than leaseSeconds, which is ${leaseSeconds}`,
      );

const reasonOf = (error: unknown): string => {
  const text = error instanceof Error ? error.message || error.name : String(error);
  const start = text.slice(0, 2_000).toWellFormed();
  return start.trim() === "" ? "The work failed." : start;
};

/** The hand-in after work with this exit. */
const outcomeOf = (exit: Exit.Exit<Outcome, unknown>): Effect.Effect<Outcome, Stopped> => {
  if (Exit.isSuccess(exit)) return Effect.succeed(exit.value);
  if (Cause.hasInterruptsOnly(exit.cause)) return Effect.succeed({ outcome: "released" });
  const error = Cause.squash(exit.cause);
  return error instanceof Stopped
    ? Effect.fail(error)
    : Effect.succeed({ outcome: "failed", comment: reasonOf(error) });
};

/** Performs one issue and hands it in. Returns whether the next heartbeat follows immediately. */
const perform = <E, R>(
  agentId: string,
  task: Task,
  work: (task: Task) => Effect.Effect<Outcome, E | Stopped, R>,
): Effect.Effect<boolean, never, R> =>
  Effect.suspend(() => work(task)).pipe(
    Effect.interruptible,
    Effect.exit,
    Effect.flatMap(outcomeOf),
    Effect.flatMap((input) =>
      handIn(task, input).pipe(
        Effect.catchTag(["InvalidRequest", "UsageKey"], (error) =>
          handIn(task, { outcome: "failed", comment: reasonOf(error) }),
        ),
        Effect.as(input.outcome !== "released"),
      ),
    ),
    Effect.catchTag("Stopped", ({ reason }) =>
      Effect.as(Effect.annotateLogs(Effect.logDebug("A run was stopped"), { reason }), true),
    ),
    Effect.catchCause((cause) => Effect.as(Effect.logError("Cannot finish a run", cause), false)),
    Effect.annotateLogs({ agentId, runId: task.runId }),
    Effect.uninterruptible,
  );

/** Works for one agent until it is interrupted. */
export const loop = <E, R, E2>(
  agent: {
    readonly id: string;
    heartbeat(input: typeof Heartbeat.Encoded): Effect.Effect<HeartbeatAnswer, E2 & Retryable>;
    task(started: HeartbeatAnswer["started"][number]): Task;
  },
  work: (task: Task) => Effect.Effect<Outcome, E | Stopped, R>,
  options: WorkOptions,
): Effect.Effect<never, (E2 & Retryable) | InvalidRequest, R> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { capacity = 1 } = options;
      const { leaseSeconds, heartbeatSeconds } = yield* rhythm(options);
      const scope = yield* Effect.scope;
      const live = new Set<string>();
      let wake = Deferred.makeUnsafe<void>();

      const start = (task: Task) => {
        live.add(task.runId);
        return perform(agent.id, task, work).pipe(
          Effect.tap((isNextImmediate) =>
            Effect.sync(() => {
              live.delete(task.runId);
              if (isNextImmediate) Deferred.doneUnsafe(wake, Exit.void);
            }),
          ),
          Effect.uninterruptible,
          Effect.forkIn(scope, { startImmediately: true }),
        );
      };

      const beat = Effect.suspend(() =>
        agent.heartbeat({
          capacity: Math.max(0, capacity - live.size),
          leaseSeconds,
          runs: [...live],
        }),
      ).pipe(
        Effect.flatMap(({ started }) =>
          Effect.forEach(started, (run) => start(agent.task(run)), { discard: true }),
        ),
        Effect.uninterruptible,
        retryTransient(),
      );

      while (true) {
        const woken = (wake = Deferred.makeUnsafe<void>());
        yield* beat;
        yield* Effect.raceFirst(Effect.sleep(`${heartbeatSeconds} seconds`), Deferred.await(woken));
      }
    }),
  );
