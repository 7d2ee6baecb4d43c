import { Effect, Metric } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Timestamp } from "../Timestamp.ts";
import { Transactor } from "../Transactor.ts";
import type { RunOutcome, RunRow, StopReason } from "./Run.ts";
import { RunStore } from "./RunStore.ts";

/**
 * The end of runs. A run is in one of three states:
 *
 * - `active`: it holds its issue while its lease lasts;
 * - `stopping`: it has to stop, and still holds its issue until its agent knows;
 * - `ended`: it holds nothing.
 *
 * Transitions to `stopping`, all from `active`: a change of its issue (`Transitions.apply`), the deletion of its
 * issue (`IssueDeletion`), a pause of its project (`Projects`) or of its agent (`Agents`).
 *
 * Transitions to `ended`, all by `make`:
 *
 * - active → ended: `finish`, or an update of the status by its agent's key (`IssueChanges`);
 * - stopping → ended: the call of the run that gets the reason (`HeldRuns.holding`);
 * - active or stopping → ended: the first call or housekeeping after its lease (`LeaseExpiry`);
 * - active → ended: another process takes the run over (`Takeover`).
 */
export interface RunEnd {
  readonly reason: StopReason;
  /** The outcome with which the agent handed the issue in; null if it did not. */
  readonly outcome: RunOutcome | null;
}

const finished = Metric.counter("quartermaster_finished_runs_total", {
  description: "Runs that their agent finished, by outcome.",
  incremental: true,
});

const expired = Metric.counter("quartermaster_expired_leases_total", {
  description: "Runs that ended because their lease expired.",
  incremental: true,
});

/** The worker of a process that names the run in its requests. */
export const workerNaming = (runId: string): string => `run:${runId}`;

/** The worker that may not act for a while because of this end; null for none. */
const workerAfter = ({ id, worker }: RunRow, { outcome, reason }: RunEnd): string | null => {
  if (outcome === "resolved" || outcome === "review") return null;
  const naming = workerNaming(id);
  // These two come without notice. Otherwise the process that names the run in its requests ended it.
  if (outcome === null && (reason === "leaseExpired" || reason === "takenOver")) {
    return worker ?? naming;
  }
  return worker === naming ? null : worker;
};

/**
 * Returns how a run ends, inside the caller's transaction. Storage requires the issue to be written
 * before the run.
 */
export const make: Effect.Effect<
  (run: RunRow, end: RunEnd, now: Timestamp) => Effect.Effect<void, StorageError>,
  never,
  RunStore | Transactor
> = Effect.gen(function* () {
  const store = yield* RunStore;
  const { afterCommit } = yield* Transactor;

  return Effect.fnUntraced(function* (run, { outcome, reason }, endedAt) {
    const isExpired = outcome === null && reason === "leaseExpired";
    const worker = workerAfter(run, { outcome, reason });
    // An agent knows of its own hand-in.
    const acknowledgedAt = outcome === null ? null : endedAt;
    yield* store.update([
      { ...run, outcome, status: "ended", stopReason: reason, endedAt, worker, acknowledgedAt },
    ]);
    if (isExpired) yield* afterCommit(Metric.update(expired, 1));
    if (outcome !== null) {
      yield* afterCommit(Metric.update(Metric.withAttributes(finished, { outcome }), 1));
    }
  });
});
