import { Schema } from "effect";
import { ServiceId } from "../Id.ts";
import { Timestamp } from "../Timestamp.ts";
import { RunUsage } from "../usage/Usage.ts";

export const RunStatus = Schema.Literals(["active", "stopping", "ended"]);
export type RunStatus = typeof RunStatus.Type;

export const RunOutcome = Schema.Literals(["resolved", "review", "released", "failed"]);
export type RunOutcome = typeof RunOutcome.Type;

/** The reason why a run has to stop, or no longer holds its issue. */
export const StopReason = Schema.Literals([
  "paused",
  "blocked",
  "reassigned",
  "resolved",
  "closed",
  "deleted",
  "statusChanged",
  "agentPaused",
  "projectPaused",
  "leaseExpired",
  "takenOver",
  "budget",
  "unknown",
]);
export type StopReason = typeof StopReason.Type;

/** The reasons in words: "The run has to stop: its issue was paused." */
export const reasonInWords: Readonly<Record<StopReason, string>> = {
  paused: "its issue was paused",
  blocked: "its issue has an open blocker",
  reassigned: "its issue was assigned to another agent",
  resolved: "its issue was resolved",
  closed: "its issue was closed",
  deleted: "its issue was deleted",
  statusChanged: "its issue was handed in, or its status was changed",
  agentPaused: "its agent was paused",
  projectPaused: "the project of its issue was paused",
  leaseExpired: "its lease expired, and another run may have the issue",
  takenOver: "another process took its issue over",
  budget: "a budget is exhausted",
  unknown: "the reason was not recorded",
};

/** The facts that are known of the process that works on a run. */
export const RunWorker = Schema.Struct({
  name: Schema.NullOr(Schema.String).annotateKey({
    description: "The name that the process gave itself by `Quartermaster-Worker`.",
  }),
  client: Schema.NullOr(Schema.String).annotateKey({
    description: "The program, as it names itself in `User-Agent`.",
  }),
  host: Schema.NullOr(Schema.String).annotateKey({ description: "The machine." }),
  pid: Schema.NullOr(Schema.Int).annotateKey({ description: "The process id." }),
}).annotate({
  identifier: "RunWorker",
  description: "The process that works on a run. A field is null if it is not known.",
});
export interface RunWorker extends Schema.Schema.Type<typeof RunWorker> {}

/** One agent's execution of one issue, from pick-up to finish. */
export const Run = Schema.Struct({
  id: ServiceId.annotateKey({
    description:
      "The run's id. It is the fencing token of the issue: only this run can hand the issue in.",
  }),
  agentId: Schema.String.annotateKey({ description: "The agent that executes the run." }),
  issueId: ServiceId.annotateKey({ description: "The issue that the run executes." }),
  issueKey: Schema.NullOr(Schema.String).annotateKey({
    description: "The issue's key; null once it is deleted.",
  }),
  status: RunStatus.annotateKey({
    description:
      "`active`: holds the issue. `stopping`: holds the issue, and stops at its next turn. `ended`: holds nothing, because it finished, stopped, or its lease expired.",
  }),
  outcome: Schema.NullOr(RunOutcome).annotateKey({
    description: "The outcome with which the agent handed the issue in; null if it did not.",
  }),
  attempt: Schema.Int.annotateKey({
    description:
      "1 for the first attempt, and 1 more for each earlier run of the issue that died or failed.",
  }),
  stopReason: Schema.NullOr(StopReason).annotateKey({
    description: "The reason why the run has to stop or stopped; null while it may continue.",
  }),
  startedAt: Timestamp.annotateKey({ description: "When the agent picked the issue up." }),
  leaseExpiresAt: Timestamp.annotateKey({
    description:
      "When the lease expires unless a heartbeat or turn renews it. Then another run may start.",
  }),
  endedAt: Schema.NullOr(Timestamp).annotateKey({
    description: "When the run ended; null while it has not.",
  }),
  note: Schema.NullOr(Schema.String).annotateKey({
    description: "The newest note of the agent; null without one.",
  }),
  worker: RunWorker,
  exitCode: Schema.NullOr(Schema.Int).annotateKey({
    description: "The exit code of the command; null if the hand-in had none.",
  }),
  commentId: Schema.NullOr(Schema.String).annotateKey({
    description: "The comment of the hand-in; null without one.",
  }),
  calls: Schema.Struct({
    total: Schema.Int.annotateKey({ description: "The ended calls of tools." }),
    failed: Schema.Int.annotateKey({
      description: "The calls with an outcome other than `ok` and `replayed`.",
    }),
  }).annotateKey({ description: "The calls of tools by the run." }),
  logBytes: Schema.Int.annotateKey({
    description: "The size of the stored log as text, in bytes.",
  }),
  usage: Schema.NullOr(RunUsage).annotateKey({
    description: "The reported tokens and cost; null if nothing was reported.",
  }),
}).annotate({
  identifier: "Run",
  description: "One agent's execution of one issue, from pick-up to finish.",
});
export interface Run extends Schema.Schema.Type<typeof Run> {}

/**
 * The stored form of a run. The storage assigns `seq`, its position in the order of starts.
 * `commentSeq` is the `seq` of the newest comment that a turn returned, `versionSeq` the `seq` of the newest
 * version of a text that the run knows.
 */
export interface RunRow extends Omit<Run, "calls" | "logBytes" | "usage" | "worker"> {
  readonly seq: number;
  readonly projectId: string;
  /** The length of each renewal of the lease. */
  readonly leaseSeconds: number;
  readonly commentSeq: number;
  readonly versionSeq: number;
  /**
   * The worker that renews the run with its calls; null for a run that heartbeats renew, and once
   * the worker may act again after the run. `WorkerRuns` lists the states.
   */
  readonly worker: string | null;
  /** When the worker acknowledged the end of the run; null before. */
  readonly acknowledgedAt: Timestamp | null;
  /** Whether the worker has claimed a run or found nothing since the end of this one. */
  readonly isFenceLifted: boolean;
  /**
   * When the run is released because its session was deleted, unless a renewal moved
   * `leaseExpiresAt` from this time; null if its session was not deleted.
   */
  readonly releaseAt: Timestamp | null;
  /**
   * When the run was last resumed after a crash of its process, which may have lost the results of its effects;
   * null if it was not.
   */
  readonly resumedAt: Timestamp | null;
  /** The API key by which the run was started; null for a run that was started in process. */
  readonly keyId: string | null;
  /** The facts that were known of the process that started the run. */
  readonly process: RunWorker | null;
}

/**
 * Returns whether the run holds its issue at `now`: it has not ended, and its lease has not
 * expired.
 */
export const isLive = (run: Pick<Run, "status" | "leaseExpiresAt">, now: Timestamp): boolean =>
  run.status !== "ended" && run.leaseExpiresAt > now;
