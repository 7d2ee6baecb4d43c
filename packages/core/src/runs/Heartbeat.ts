import { Schema } from "effect";
import { RunOutcome, StopReason } from "../agents/Run.ts";
import { Comment, Content } from "../issues/Comment.ts";
import { Issue } from "../issues/Issue.ts";
import { Timestamp } from "../Timestamp.ts";

/** What a host asks on behalf of one agent: "I am alive; what should I work on, what should I stop?" */
export const Heartbeat = Schema.Struct({
  /** How many new issues it may be given; 1 unless told. */
  capacity: Schema.optionalKey(
    Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 50 }))),
  ),
  /** 300 unless told. */
  leaseSeconds: Schema.optionalKey(
    Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 5, maximum: 86_400 }))),
  ),
  /** The runs to renew. */
  runs: Schema.optionalKey(
    Schema.NullOr(Schema.Array(Schema.String).check(Schema.isMaxLength(1_000))),
  ),
}).annotate({ identifier: "Heartbeat" });
export interface Heartbeat extends Schema.Schema.Type<typeof Heartbeat> {}

export const HeartbeatAnswer = Schema.Struct({
  agentId: Schema.String,
  started: Schema.Array(
    Schema.Struct({ runId: Schema.String, leaseExpiresAt: Timestamp, issue: Issue }),
  ),
  renewed: Schema.Array(Schema.Struct({ runId: Schema.String, leaseExpiresAt: Timestamp })),
  stop: Schema.Array(
    Schema.Struct({
      runId: Schema.String,
      /** Null for a run that is not this agent's. */
      issueId: Schema.NullOr(Schema.String),
      reason: StopReason,
    }),
  ),
  toolsRevision: Schema.String,
}).annotate({ identifier: "HeartbeatAnswer" });
export interface HeartbeatAnswer extends Schema.Schema.Type<typeof HeartbeatAnswer> {}

/** What an agent is told at the boundary between two turns. */
export const TurnAnswer = Schema.Struct({
  action: Schema.Literals(["continue", "stop"]),
  reason: Schema.NullOr(StopReason),
  toolsRevision: Schema.String,
  /** Those by others since the run's last turn, oldest first; at most 500, the rest at the next turn. */
  comments: Schema.Array(Comment),
}).annotate({ identifier: "TurnAnswer" });
export interface TurnAnswer extends Schema.Schema.Type<typeof TurnAnswer> {}

/** How a run hands its issue in. */
export const Finish = Schema.Struct({
  outcome: RunOutcome,
  comment: Schema.optionalKey(Schema.NullOr(Content)),
}).annotate({ identifier: "Finish" });
export interface Finish extends Schema.Schema.Type<typeof Finish> {}
