import type { Run, RunRow } from "../../agents/Run.ts";
import type { Timestamp } from "../../Timestamp.ts";
import type { HeartbeatAnswer, TurnAnswer } from "../Heartbeat.ts";

/**
 * A process that calls tools and renews its runs with its calls, without a host that sends
 * heartbeats.
 */
export interface Worker {
  /** Identifies it among the workers of its agent. */
  readonly id: string;
  /** The run that the worker was started for; null if it claims its own. */
  readonly runId: string | null;
  /** Whether several processes may share the id. */
  readonly isShared: boolean;
}

/** A run in the form that its worker gets. */
export type HeldRun = Pick<Run, "attempt" | "leaseExpiresAt" | "issueId"> & {
  readonly runId: string;
};

/** A live run of the agent in the form for workers that may take it over. */
export interface OtherRun extends HeldRun, Pick<Run, "startedAt"> {
  /** The last renewal that was stored, at most 10 seconds before the last call of its worker. */
  readonly lastSeenAt: Timestamp;
}

type Started = HeartbeatAnswer["started"][number];

/** The next run of a worker, or the reason why there is none. */
export type Next =
  | {
      readonly run: HeldRun;
      /** The facts of a new run; null for a run that continues. */
      readonly started: Pick<Started, "issue" | "comments" | "questions" | "effects"> | null;
    }
  | {
      readonly run: null;
      readonly reason:
        | "nothing"
        | "notBefore"
        | "awaitingAnswer"
        | "agentPaused"
        | "projectPaused"
        | "busy"
        | "runEnded";
      /** Seconds after which the next call may succeed. */
      readonly retryAfterSeconds: number;
      /** The runs because of which a worker is busy; with `nothing`, the agent's other live runs. */
      readonly runs: ReadonlyArray<OtherRun>;
    };

/** The answer to a turn, with the run that it is about. */
export type WorkerTurn = Omit<TurnAnswer, "toolsRevision"> & { readonly runId: string };

export interface NextOptions {
  /** Claims only in this project. */
  readonly projectId?: string | undefined;
  /** The duration of a new run's lease without a call, in seconds. Default: 900. */
  readonly leaseSeconds?: number | undefined;
  /** Whether a worker with a shared id gets its live run again instead of `busy`. */
  readonly resume?: boolean | undefined;
}

export const toHeld = ({ attempt, id, issueId, leaseExpiresAt }: Omit<RunRow, "seq">): HeldRun => ({
  runId: id,
  attempt,
  leaseExpiresAt,
  issueId,
});
