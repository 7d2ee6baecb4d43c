import type {
  AgentToolList,
  ChangedIssue,
  Comment,
  Finish,
  HeartbeatAnswer,
  Issue,
  ToolCallResult,
  TurnAnswer,
} from "./contract/Schemas.ts";
import type { Pages } from "./Pages.ts";

/** Why a run has to stop, or no longer holds its issue. */
export type StopReason = NonNullable<TurnAnswer["reason"]>;

/** The run has to stop, or holds its issue no longer: leave the issue as it is. */
export class Stopped extends Error {
  override readonly name = "Stopped";
  readonly reason: StopReason;
  /** Comments by others since the last turn; none if the run had ended before. */
  readonly comments: ReadonlyArray<Comment>;

  constructor(reason: StopReason, comments: ReadonlyArray<Comment> = []) {
    super(`Leave the issue as it is: ${reason}.`);
    this.reason = reason;
    this.comments = comments;
  }
}

/** An issue that an agent picked up, and what the agent can do while it has the issue. */
export interface RemoteTask {
  readonly runId: string;
  /** The issue as the agent picked it up. */
  readonly issue: Issue;
  /** The heartbeat's information about the run, such as its attempt and the newest comments. */
  readonly started: HeartbeatAnswer["started"][number];
  /**
   * Aborts with a `Stopped` when the agent has to stop or lost its lease, and with the reason of the
   * loop's signal when the loop stops.
   */
  readonly signal: AbortSignal;
  /**
   * Milliseconds until the lease expires, negative afterwards. Heartbeats and turns renew it. A slow
   * response makes it less than the server's, never more.
   */
  readonly leaseRemaining: number;
  /**
   * Ends a turn: renews the lease and returns the comments that others added since the last one.
   * Rejects with `Stopped` when the agent has to stop. Is repeated while the server is away and the
   * lease lasts.
   */
  turn(): Promise<TurnAnswer>;
  /**
   * Hands the issue in. Rejects with `Stopped` if the run no longer holds it. Is repeated while the
   * server is away and the lease lasts; an issue is handed in once.
   */
  finish(input: Finish): Promise<ChangedIssue>;
  /** Comments on the issue in the name of the agent. */
  comment(content: string): Promise<Comment>;
  /** The comments on the issue, oldest first by default. */
  comments(request?: {
    readonly limit?: number | undefined;
    readonly cursor?: string | undefined;
    readonly order?: "asc" | "desc" | undefined;
  }): Pages<Comment>;
  /** The tools that the agent may use now. */
  tools(): Promise<AgentToolList>;
  /** Calls a tool once, by the name that `tools` lists. Aborting the signal cancels the call. */
  call(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<ToolCallResult>;
}

/** The options of an agent's work. */
export interface TaskOptions {
  /** Issues at the same time, 1 to 50. Default: 1. */
  readonly capacity?: number | undefined;
  /** The duration of a lease without a heartbeat, 5 to 86,400 seconds. Default: 300. */
  readonly leaseSeconds?: number | undefined;
  /**
   * Seconds between heartbeats, less than the lease. Default: 10, or a third of the lease if that
   * is less.
   */
  readonly heartbeatSeconds?: number | undefined;
  /** Ends the loop once the issues of the first heartbeat are handed in. Default: false. */
  readonly once?: boolean | undefined;
  /** Gets the response to each heartbeat, or null and the error. */
  readonly onHeartbeat?: ((answer: HeartbeatAnswer | null, error: unknown) => void) | undefined;
  /** Stops the loop. */
  readonly signal?: AbortSignal | undefined;
}
