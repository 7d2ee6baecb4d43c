import type {
  AgentToolList,
  Attachment,
  ChangedIssue,
  Comment,
  Finish,
  Heartbeat,
  HeartbeatAnswer,
  Issue,
  Question,
  QuestionCreate,
  ToolCallResult,
  Turn,
  TurnAnswer,
} from "./contract/Schemas.ts";
import type { Upload } from "./Options.ts";
import type { Pages } from "./Pages.ts";

/** The reason why a run has to stop, or no longer holds its issue. */
export type StopReason = NonNullable<TurnAnswer["reason"]>;

/** The run has to stop, or no longer holds its issue. The issue must stay unchanged. */
export class Stopped extends Error {
  override readonly name = "Stopped";
  readonly reason: StopReason;
  /** Comments by others since the last turn; none if the run had already ended. */
  readonly comments: ReadonlyArray<Comment>;

  constructor(reason: StopReason, comments: ReadonlyArray<Comment> = []) {
    super(`Leave the issue as it is: ${reason}.`);
    this.reason = reason;
    this.comments = comments;
  }
}

/** An issue that an agent picked up, with the actions of the agent while it holds the issue. */
export interface RemoteTask {
  readonly runId: string;
  /** The issue at the time of pick-up. */
  readonly issue: Issue;
  /** The heartbeat's information about the run, such as its attempt and the newest comments. */
  readonly started: HeartbeatAnswer["started"][number];
  /**
   * Aborts with a `Stopped` when the agent has to stop or lost its lease, and with the reason of the
   * loop's signal when the loop stops.
   */
  readonly signal: AbortSignal;
  /**
   * Milliseconds until the lease expires, negative afterwards. Heartbeats and turns renew it. A
   * slow response can only make it shorter than the server's lease.
   */
  readonly leaseRemaining: number;
  /**
   * Ends a turn: renews the lease and returns the comments that others added since the last turn.
   * Rejects with `Stopped` when the agent has to stop. Retries while the server is unreachable and
   * the lease lasts. `report` is a note and the usage since the last report.
   */
  turn(report?: Turn): Promise<TurnAnswer>;
  /**
   * Hands the issue in. Rejects with `Stopped` if the run no longer holds it. Retries while the
   * server is unreachable and the lease lasts; the issue is handed in only once.
   */
  finish(input: Finish): Promise<ChangedIssue>;
  /** Comments on the issue as the agent. */
  comment(content: string): Promise<Comment>;
  /** Lists the comments on the issue. Default order: oldest first. */
  comments(request?: {
    readonly limit?: number | undefined;
    readonly cursor?: string | undefined;
    readonly order?: "asc" | "desc" | undefined;
  }): Pages<Comment>;
  /** Attaches a file to the issue for the run. With the key of a person, the person uploads it. */
  attach(file: Upload): Promise<Attachment>;
  /**
   * Asks a person a question about the issue, for the run. While a blocking question (the default) is open, no
   * heartbeat picks the issue up: hand it in as `released`, and the next run gets the answer.
   */
  ask(question: QuestionCreate): Promise<Question>;
  /**
   * Shows people what the agent does now, 1 to 2,000 characters. This is a turn: it renews the lease
   * and returns new comments, and rejects with `Stopped` when the agent has to stop.
   */
  note(text: string): Promise<TurnAnswer>;
  /**
   * Writes lines to the log of the run, at most 256 KiB. Calls are stored in their order.
   */
  log(text: string): Promise<void>;
  /** Lists the tools that the agent may use now. */
  tools(): Promise<AgentToolList>;
  /** Calls a tool once, by the name that `tools` lists. Aborting the signal cancels the call. */
  call(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<ToolCallResult>;
}

/** A loop that holds fewer issues than usual, because work cannot succeed now. */
export interface Halt {
  readonly halted: NonNullable<Heartbeat["halted"]>;
  /** 0 to start none, 1 to try one. */
  readonly capacity: number;
}

/** The options of an agent's loop. */
export interface TaskOptions {
  /** The number of issues held at the same time, 1 to 50. Default: 1. */
  readonly capacity?: number | undefined;
  /** Seconds until a lease expires without a heartbeat, 5 to 86,400. Default: 300. */
  readonly leaseSeconds?: number | undefined;
  /**
   * Seconds between heartbeats, less than `leaseSeconds`. Default: 10, or a third of the lease if
   * that is less.
   */
  readonly heartbeatSeconds?: number | undefined;
  /** Whether the loop ends once the issues of the first heartbeat are handed in. Default: false. */
  readonly once?: boolean | undefined;
  /** Receives the response to each heartbeat, or null and the error. */
  readonly onHeartbeat?: ((answer: HeartbeatAnswer | null, error: unknown) => void) | undefined;
  /**
   * Called before each heartbeat: the reason why the loop currently starts no issues, and the
   * number of issues that it holds at the same time; null while it works as usual.
   */
  readonly halt?: (() => Halt | null) | undefined;
  /** Stops the loop when it aborts. */
  readonly signal?: AbortSignal | undefined;
}
