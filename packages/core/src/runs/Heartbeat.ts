import { Schema } from "effect";
import { RunOutcome, StopReason } from "../agents/Run.ts";
import { Comment, Content } from "../issues/Comment.ts";
import { Issue } from "../issues/Issue.ts";
import { Question } from "../issues/Question.ts";
import { Timestamp } from "../Timestamp.ts";

/** What a host asks for one agent: I am alive; what do I work on, what do I stop? */
export const Heartbeat = Schema.Struct({
  capacity: Schema.optionalKey(
    Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 50 }))),
  ).annotateKey({ description: "How many new issues the agent takes, 0 to 50. Default: 1." }),
  leaseSeconds: Schema.optionalKey(
    Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 5, maximum: 86_400 }))),
  ).annotateKey({
    description:
      "How long the leases of started and renewed runs last, 5 to 86,400 seconds. Default: 300.",
  }),
  runs: Schema.optionalKey(
    Schema.NullOr(Schema.Array(Schema.String).check(Schema.isMaxLength(1_000))),
  ).annotateKey({
    description: "Ids of the runs whose leases are renewed, up to 1,000. Default: none.",
  }),
}).annotate({
  identifier: "Heartbeat",
  description: "What a host asks for one agent: I am alive; what do I work on, what do I stop?",
});
export interface Heartbeat extends Schema.Schema.Type<typeof Heartbeat> {}

/** What an agent has to do after a heartbeat. */
export const HeartbeatAnswer = Schema.Struct({
  agentId: Schema.String.annotateKey({ description: "The agent that sent the heartbeat." }),
  started: Schema.Array(
    Schema.Struct({
      runId: Schema.String.annotateKey({ description: "The id of the new run." }),
      leaseExpiresAt: Timestamp.annotateKey({
        description: "When the lease expires unless it is renewed.",
      }),
      attempt: Schema.Int.annotateKey({
        description: "1, and 1 more for each run of the issue that died or failed before.",
      }),
      issue: Issue.annotateKey({ description: "The issue as it was picked up." }),
      comments: Schema.Array(Comment).annotateKey({
        description: "The newest 20 comments of the issue, oldest first.",
      }),
      questions: Schema.Array(Question).annotateKey({
        description:
          "Questions of the issue that were answered, expired or withdrawn since its previous run started, or ever for its first run: the newest 100, in the order in which they were closed.",
      }),
    }),
  ).annotateKey({
    description: "Issues that the agent picked up with this heartbeat, each with its new run.",
  }),
  renewed: Schema.Array(
    Schema.Struct({
      runId: Schema.String.annotateKey({ description: "The id of the run." }),
      leaseExpiresAt: Timestamp.annotateKey({
        description: "When the lease expires unless it is renewed again.",
      }),
    }),
  ).annotateKey({ description: "Runs whose leases were renewed." }),
  stop: Schema.Array(
    Schema.Struct({
      runId: Schema.String.annotateKey({ description: "The id of the run." }),
      issueId: Schema.NullOr(Schema.String).annotateKey({
        description: "The run's issue; null for a run that is not this agent's.",
      }),
      reason: StopReason.annotateKey({ description: "Why the run stops." }),
    }),
  ).annotateKey({
    description:
      "Runs that the agent has to stop at their next turn, or that hold their issue no longer.",
  }),
  toolsRevision: Schema.String.annotateKey({
    description: "Changes exactly when the agent's list of tools changes.",
  }),
}).annotate({
  identifier: "HeartbeatAnswer",
  description: "What an agent has to do after a heartbeat.",
});
export interface HeartbeatAnswer extends Schema.Schema.Type<typeof HeartbeatAnswer> {}

/** What an agent has to do after a turn. */
export const TurnAnswer = Schema.Struct({
  action: Schema.Literals(["continue", "stop"]).annotateKey({
    description: "`continue`, or `stop`: leave the issue as it is. The run has ended then.",
  }),
  reason: Schema.NullOr(StopReason).annotateKey({
    description: "Why the run has to stop; null to continue.",
  }),
  toolsRevision: Schema.String.annotateKey({
    description: "Changes exactly when the agent's list of tools changes.",
  }),
  comments: Schema.Array(Comment).annotateKey({
    description:
      "Comments by others since the run's last turn, oldest first. At most 500; the rest follows at the next turn.",
  }),
}).annotate({ identifier: "TurnAnswer", description: "What an agent has to do after a turn." });
export interface TurnAnswer extends Schema.Schema.Type<typeof TurnAnswer> {}

/** How a run hands its issue in. */
export const Finish = Schema.Struct({
  outcome: RunOutcome.annotateKey({
    description:
      "`resolved`: done. `review`: a person has to review it (`PendingReview`). `released`: given back, to be picked up again. `failed`: given back and paused, until a person resumes it, unless `retry` is true.",
  }),
  comment: Schema.optionalKey(Schema.NullOr(Content)).annotateKey({
    description:
      "Added to the issue in the name of the agent. 1 to 65,536 UTF-16 units. Default: null.",
  }),
  retry: Schema.optionalKey(Schema.NullOr(Schema.Boolean)).annotateKey({
    description:
      "With `failed`: whether the issue is tried again, after a delay, until it had as many attempts as the service allows. Default: false.",
  }),
  retryAfterSeconds: Schema.optionalKey(
    Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 604_800 }))),
  ).annotateKey({
    description:
      "With `released`: seconds until the issue may be picked up again, 0 to 604,800. Default: 0.",
  }),
}).annotate({ identifier: "Finish", description: "How a run hands its issue in." });
export interface Finish extends Schema.Schema.Type<typeof Finish> {}
