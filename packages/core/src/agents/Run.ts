import { Schema } from "effect";
import { ServiceId } from "../Id.ts";
import { Timestamp } from "../Timestamp.ts";

export const RunStatus = Schema.Literals(["active", "stopping", "ended"]);
export type RunStatus = typeof RunStatus.Type;

export const RunOutcome = Schema.Literals(["resolved", "review", "released", "failed"]);
export type RunOutcome = typeof RunOutcome.Type;

/** Why a run was told to stop, or is no longer the holder of its issue. */
export const StopReason = Schema.Literals([
  "paused",
  "blocked",
  "reassigned",
  "resolved",
  "closed",
  "deleted",
  "statusChanged",
  "leaseExpired",
  "unknown",
]);
export type StopReason = typeof StopReason.Type;

/** One agent's execution of one issue, from pick-up to finish. */
export const Run = Schema.Struct({
  id: ServiceId,
  agentId: Schema.String,
  issueId: ServiceId,
  status: RunStatus,
  outcome: Schema.NullOr(RunOutcome),
  startedAt: Timestamp,
  leaseExpiresAt: Timestamp,
  endedAt: Schema.NullOr(Timestamp),
}).annotate({ identifier: "Run" });
export interface Run extends Schema.Schema.Type<typeof Run> {}

/**
 * A run as storage keeps it. `seq` is its place in the order of starting, given by the storage;
 * `stopReason` is set when it is told to stop; `commentSeq` is the newest comment (its `seq`) that
 * its agent has been shown.
 */
export interface RunRow extends Run {
  readonly seq: number;
  readonly projectId: string;
  /** How long each renewal of the lease lasts. */
  readonly leaseSeconds: number;
  readonly stopReason: StopReason | null;
  readonly commentSeq: number;
}

/** Whether the run still holds its issue at the moment `now`: it has not ended and its lease stands. */
export const isLive = (run: Pick<Run, "status" | "leaseExpiresAt">, now: Timestamp): boolean =>
  run.status !== "ended" && run.leaseExpiresAt > now;
