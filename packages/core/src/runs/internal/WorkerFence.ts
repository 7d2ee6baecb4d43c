import { Effect, Option } from "effect";
import { isLive, type RunRow, type StopReason } from "../../agents/Run.ts";
import { RunStore } from "../../agents/RunStore.ts";
import * as Timestamp from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import type { Worker } from "./Worker.ts";

/**
 * The fence of a worker whose run was told to stop or has ended. The worker cannot name the run in its requests, so the
 * run stands for it. States of a run, by its row:
 *
 * - held: active, and its lease lasts.
 * - unacknowledged: told to stop, or ended otherwise than by a hand-in, and `acknowledgedAt` is null. Every result
 *   reports the stop, and calls of the worker act for this run.
 * - acknowledged: ended, and the worker knows. Its calls still act for this run.
 * - lifted: the worker acts without this run. `worker` is null. If several processes may share the worker,
 *   `isFenceLifted` is true instead: any of them may be the one that held the run, so all read the stop.
 *
 * Transitions
 *
 * - held → unacknowledged: it has to stop, loses its lease or is taken over.
 * - held → acknowledged: the agent hands its issue in as released or failed.
 * - held → lifted: the agent hands its issue in as resolved or for review.
 * - unacknowledged → acknowledged: `acknowledge`, after a turn or finish of the worker.
 * - unacknowledged (but not live), acknowledged → lifted: `lift`, after the worker claimed a run or found nothing.
 */

/** A run that the worker has to stop, or has lost. */
export interface StopNotice {
  readonly runId: string;
  readonly issueId: string;
  readonly reason: StopReason;
}

/** Seconds after the acknowledgement for which processes that share a worker read the stop. */
const sharedNoticeSeconds = 900;

/** Whether the run was told to stop or ended otherwise than by a hand-in, and its worker does not know. */
export const isUnacknowledged = (run: RunRow, now: Timestamp.Timestamp): boolean =>
  run.outcome === null &&
  run.acknowledgedAt === null &&
  (run.status !== "active" || !isLive(run, now));

/** Whether results of a worker that several processes may share still report an acknowledged stop. */
const isRecent = ({ acknowledgedAt, outcome }: RunRow, now: Timestamp.Timestamp): boolean =>
  outcome === null &&
  acknowledgedAt !== null &&
  Timestamp.addSeconds(acknowledgedAt, sharedNoticeSeconds) > now;

/** The reason why the run does not continue, at `now`. */
export const reasonOf = (run: RunRow, now: Timestamp.Timestamp): StopReason =>
  run.status !== "ended" && !isLive(run, now) ? "leaseExpired" : (run.stopReason ?? "unknown");

/** The runs that results of the worker report as stopped. */
export const notices = (
  worker: Worker,
  runs: ReadonlyArray<RunRow>,
  now: Timestamp.Timestamp,
): ReadonlyArray<StopNotice> =>
  runs
    .filter(
      (run) =>
        // A run without a worker ended by the call of the process that names it.
        (isUnacknowledged(run, now) && (run.status !== "ended" || run.worker !== null)) ||
        (worker.isShared && isRecent(run, now)),
    )
    .map((run) => ({ runId: run.id, issueId: run.issueId, reason: reasonOf(run, now) }));

/** The ended run for which the calls of a worker act until its fence is lifted. */
export const fencing = (
  runs: ReadonlyArray<RunRow>,
  now: Timestamp.Timestamp,
): RunRow | undefined => runs.find((run) => !isLive(run, now) && !run.isFenceLifted);

/** The transitions. */
export const make = Effect.gen(function* () {
  const store = yield* RunStore;
  const { transact } = yield* Transactor;

  /** Changes ended runs that are still the worker's when they are read again. */
  const change = (
    worker: Worker,
    runs: ReadonlyArray<RunRow>,
    to: (run: RunRow, now: Timestamp.Timestamp) => RunRow,
  ) =>
    runs.length === 0
      ? Effect.void
      : transact(
          Effect.gen(function* () {
            const now = yield* Timestamp.now;
            for (const { id } of runs) {
              const run = Option.getOrNull(yield* store.get(id));
              if (run?.status !== "ended" || run.worker !== worker.id) continue;
              yield* store.update([to(run, now)]);
            }
          }),
        );

  /** Records that the worker knows of the end of a run. */
  const acknowledge = (worker: Worker, run: RunRow) =>
    change(worker, [run], (ended, now) => ({
      ...ended,
      acknowledgedAt: ended.acknowledgedAt ?? now,
    }));

  /** Records that the worker claimed a run or found nothing after the end of these runs. */
  const lift = (worker: Worker, runs: ReadonlyArray<RunRow>) =>
    change(worker, runs, (ended, now) => {
      const acknowledgedAt = ended.acknowledgedAt ?? now;
      const isNoticed = worker.isShared && isRecent({ ...ended, acknowledgedAt }, now);
      return {
        ...ended,
        acknowledgedAt,
        worker: isNoticed ? ended.worker : null,
        isFenceLifted: isNoticed,
      };
    });

  return { acknowledge, lift };
});
