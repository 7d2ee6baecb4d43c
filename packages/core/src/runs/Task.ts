import { Effect, Schema } from "effect";
import type { Forbidden } from "../access/AccessErrors.ts";
import { StopReason } from "../agents/Run.ts";
import type {
  IdempotencyMismatch,
  InvalidRequest,
  LimitExceeded,
  NotFound,
  PayloadTooLarge,
  StorageError,
} from "../CommonErrors.ts";
import { ErrorClass } from "../ErrorClass.ts";
import type { Attachment } from "../issues/Attachment.ts";
import type { Upload } from "../issues/Attachments.ts";
import { Comment } from "../issues/Comment.ts";
import type { ChangedIssue, Issue } from "../issues/Issue.ts";
import type { QuestionClosed } from "../issues/IssueErrors.ts";
import type { Question, QuestionCreate } from "../issues/Question.ts";
import type { CallOptions } from "../mcp/gateway/ToolGateway.ts";
import type { ToolResult } from "../mcp/McpConnector.ts";
import type { ToolUnavailable } from "../mcp/McpErrors.ts";
import type { AgentToolList } from "../mcp/ToolCall.ts";
import type * as Page from "../Page.ts";
import type { UsageKey } from "../usage/UsageErrors.ts";
import type { Finish, TurnAnswer } from "./Heartbeat.ts";
import type { LogGap } from "./RunErrors.ts";

type AgentError = Forbidden | NotFound | StorageError;

/** The run has to stop, or no longer holds its issue: do not change the issue. */
export class Stopped
  extends /* @__PURE__ */ ErrorClass<Stopped>()(
    "Stopped",
    {
      reason: StopReason,
      /** Comments by others since the last turn; none if the run had ended before. */
      comments: Schema.Array(Comment).pipe(Schema.withConstructorDefault(Effect.succeed([]))),
    },
    ({ reason }) => `Leave the issue as it is: ${reason}.`,
  ) {}

/** An issue that an agent picked up, and the actions of the agent while it holds the issue. */
export interface Task {
  readonly runId: string;
  /** The issue at the time of its pick-up. */
  readonly issue: Issue;
  /**
   * Ends a turn: renews the lease and returns the comments that others added since the last turn.
   * Fails with `Stopped` when the agent has to stop.
   */
  readonly turn: Effect.Effect<TurnAnswer, AgentError | Stopped>;
  /** Hands the issue in. Fails with `Stopped` if the run no longer holds it. */
  finish(
    input: typeof Finish.Encoded,
  ): Effect.Effect<ChangedIssue, AgentError | InvalidRequest | Stopped | UsageKey>;
  /** Comments on the issue in the name of the agent. Fails with `Stopped` if the issue was deleted. */
  comment(
    content: string,
  ): Effect.Effect<Comment, AgentError | InvalidRequest | IdempotencyMismatch | Stopped>;
  /**
   * Returns a page of the comments on the issue, oldest first by default, including comments from
   * before the pick-up, which no turn returns.
   */
  comments(
    request?: Page.PageRequest,
  ): Effect.Effect<Page.Page<Comment>, AgentError | InvalidRequest>;
  /** Attaches a file to the issue in the name of the agent. */
  attach<E>(
    file: Upload<E, never>,
  ): Effect.Effect<
    Attachment,
    AgentError | E | IdempotencyMismatch | InvalidRequest | PayloadTooLarge | Stopped
  >;
  /**
   * Asks a person a question about the issue. While a blocking question (the default) is open, no
   * heartbeat picks the issue up: hand it in as `released`, and the next run gets the answer.
   */
  ask(
    question: typeof QuestionCreate.Encoded,
  ): Effect.Effect<
    Question,
    AgentError | IdempotencyMismatch | InvalidRequest | LimitExceeded | QuestionClosed | Stopped
  >;
  /**
   * Shows people what the agent does now, 1 to 2,000 characters. This is a turn: it renews the lease
   * and returns new comments, and fails with `Stopped` when the agent has to stop.
   */
  note(text: string): Effect.Effect<TurnAnswer, AgentError | InvalidRequest | Stopped>;
  /** Writes lines to the log of the run, at most 256 KiB. Calls are stored in their order. */
  log(
    text: string,
  ): Effect.Effect<
    void,
    AgentError | InvalidRequest | LimitExceeded | LogGap | PayloadTooLarge | Stopped
  >;
  /** The tools that the agent may use now. */
  readonly tools: Effect.Effect<AgentToolList, AgentError>;
  /** Calls a tool once, by the name that `tools` lists. An error of the tool is a result. */
  call(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Effect.Effect<ToolResult, AgentError | IdempotencyMismatch | InvalidRequest | ToolUnavailable>;
}

/** Options of an agent's work. */
export interface WorkOptions {
  /** The maximum number of issues at the same time, 1 to 50. Default: 1. */
  readonly capacity?: number | undefined;
  /** The duration of a lease without a heartbeat, 5 to 86,400 seconds. Default: 300. */
  readonly leaseSeconds?: number | undefined;
  /**
   * Seconds between heartbeats, less than the lease. Default: 10, or a third of the lease if that
   * is less.
   */
  readonly heartbeatSeconds?: number | undefined;
}
