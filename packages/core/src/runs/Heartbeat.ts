import { Schema } from "effect";
import { RunOutcome, StopReason } from "../agents/Run.ts";
import { NewestEffect } from "../effects/IssueEffect.ts";
import { Comment, Content } from "../issues/Comment.ts";
import { Issue } from "../issues/Issue.ts";
import { Question } from "../issues/Question.ts";
import { TextChange } from "../issues/Version.ts";
import * as Text from "../Text.ts";
import { between } from "../Text.ts";
import { Timestamp } from "../Timestamp.ts";
import { usage } from "../usage/UsageReport.ts";

/** A runner that starts no issues for now. */
export const Halted = Schema.Struct({
  reason: Text.trimmedBetween(1, 500).pipe(
    Schema.annotateEncoded({
      description: "The reason, and what a person has to do about it. 1 to 500 characters.",
    }),
  ),
  until: Schema.optionalKey(Schema.NullOr(Timestamp)).annotateKey({
    description: "When the runner tries again. Default: null, which means that it does not know.",
  }),
  runs: Schema.optionalKey(
    Schema.NullOr(Schema.Array(Schema.String).check(Schema.isMaxLength(100))),
  ).annotateKey({
    description:
      "The runs that died or failed because of it, up to 100 ids. Their issues get the attempt back, and the pause `tooManyAttempts` that it caused ends, unless a person changed the issue since. Default: none.",
  }),
}).annotate({
  identifier: "Halted",
  description: "A runner that starts no issues for now, for example because of a usage limit.",
});
export interface Halted extends Schema.Schema.Type<typeof Halted> {}

const note = Schema.optionalKey(Schema.NullOr(between(1, 2_000))).annotateKey({
  description:
    "The work that the agent does now, 1 to 2,000 characters. The run shows the newest note, and its timeline all. Default: none.",
});

/** A run that a heartbeat renews. */
export const RenewedRun = Schema.Union([
  Schema.String,
  Schema.Struct({
    runId: Schema.String.annotateKey({ description: "The id of the run." }),
    note,
  }),
]);

/** The report of a turn. */
export const Turn = Schema.Struct({ note, usage }).annotate({
  identifier: "Turn",
  description: "The body of a request that ends a turn.",
});
export interface Turn extends Schema.Schema.Type<typeof Turn> {}

/** The periodic call of a host for one agent. */
export const Heartbeat = Schema.Struct({
  capacity: Schema.optionalKey(
    Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 50 }))),
  ).annotateKey({
    description: "The largest number of new issues to pick up, 0 to 50. Default: 1.",
  }),
  leaseSeconds: Schema.optionalKey(
    Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 5, maximum: 86_400 }))),
  ).annotateKey({
    description:
      "The duration of the leases of started and renewed runs, 5 to 86,400 seconds. Default: 300.",
  }),
  runs: Schema.optionalKey(
    Schema.NullOr(Schema.Array(RenewedRun).check(Schema.isMaxLength(1_000))),
  ).annotateKey({
    description:
      "The runs whose leases are renewed, up to 1,000: ids, or `{ runId, note? }`. Default: none.",
  }),
  halted: Schema.optionalKey(Schema.NullOr(Halted)).annotateKey({
    description:
      "Says that the runner starts no issues for now. Send it with every heartbeat until the runner works again. Default: null.",
  }),
}).annotate({
  identifier: "Heartbeat",
  description:
    "The periodic call of a host for one agent: reports that the agent is alive, and asks for issues to start and runs to stop.",
});
export interface Heartbeat extends Schema.Schema.Type<typeof Heartbeat> {}

/** The response to a heartbeat: issues to start and runs to stop. */
export const HeartbeatAnswer = Schema.Struct({
  agentId: Schema.String.annotateKey({ description: "The agent that sent the heartbeat." }),
  started: Schema.Array(
    Schema.Struct({
      runId: Schema.String.annotateKey({ description: "The id of the new run." }),
      leaseExpiresAt: Timestamp.annotateKey({
        description: "When the lease expires unless it is renewed.",
      }),
      attempt: Schema.Int.annotateKey({
        description:
          "1 for the first attempt, and 1 more for each earlier run of the issue that died or failed.",
      }),
      issue: Issue.annotateKey({ description: "The issue at the time of its pick-up." }),
      comments: Schema.Array(Comment).annotateKey({
        description: "The newest 20 comments on the issue, oldest first.",
      }),
      questions: Schema.Array(Question).annotateKey({
        description:
          "The newest 100 questions that were answered, expired or withdrawn since the previous run of the issue started (for its first run: all), in the order in which they were closed.",
      }),
      effects: Schema.Array(NewestEffect).annotateKey({
        description:
          "The newest 50 calls for the issue of tools that happen once, newest first: an equal call returns the recorded result.",
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
        description: "The run's issue; null if the run is not the agent's.",
      }),
      reason: StopReason.annotateKey({ description: "The reason why the run has to stop." }),
    }),
  ).annotateKey({
    description:
      "Runs that the agent has to stop at their next turn, and runs that no longer hold their issue.",
  }),
  toolsRevision: Schema.String.annotateKey({
    description: "Changes exactly when the agent's list of tools changes.",
  }),
}).annotate({
  identifier: "HeartbeatAnswer",
  description: "The response to a heartbeat: issues to start and runs to stop.",
});
export interface HeartbeatAnswer extends Schema.Schema.Type<typeof HeartbeatAnswer> {}

/** The response to a turn: continue or stop. */
export const TurnAnswer = Schema.Struct({
  action: Schema.Literals(["continue", "stop"]).annotateKey({
    description:
      "`continue`, or `stop`: the run has ended, and the agent must leave the issue as it is.",
  }),
  reason: Schema.NullOr(StopReason).annotateKey({
    description: "The reason why the run has to stop; null to continue.",
  }),
  toolsRevision: Schema.String.annotateKey({
    description: "Changes exactly when the agent's list of tools changes.",
  }),
  comments: Schema.Array(Comment).annotateKey({
    description:
      "Comments by others since the run's last turn, oldest first. At most 500; the rest follows at the next turn.",
  }),
  changes: Schema.Array(TextChange).annotateKey({
    description:
      "Texts that others changed since the run's last turn or its start: the description, and comments that are not in `comments`. Each once with its text now, in the order of the changes. At most 50; the rest follows at the next turn.",
  }),
}).annotate({ identifier: "TurnAnswer", description: "The response to a turn: continue or stop." });
export interface TurnAnswer extends Schema.Schema.Type<typeof TurnAnswer> {}

/** The hand-in of a run. */
export const Finish = Schema.Struct({
  outcome: RunOutcome.annotateKey({
    description:
      "`resolved`: the work is done. `review`: a person has to review it (`PendingReview`). `released`: the issue can be picked up again. `failed`: the issue is paused until a person resumes it, or tried again if `retry` is true.",
  }),
  comment: Schema.optionalKey(Schema.NullOr(Content)).annotateKey({
    description:
      "A comment of the agent, added to the issue. 1 to 65,536 characters, not only white space. Default: null.",
  }),
  retry: Schema.optionalKey(Schema.NullOr(Schema.Boolean)).annotateKey({
    description:
      "With `failed`: whether to try the issue again after a delay, up to the service's limit of attempts. Default: false.",
  }),
  retryAfterSeconds: Schema.optionalKey(
    Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 604_800 }))),
  ).annotateKey({
    description:
      "With `released`: seconds until the issue may be picked up again, 0 to 604,800. Default: 0.",
  }),
  keepAttempts: Schema.optionalKey(Schema.NullOr(Schema.Boolean)).annotateKey({
    description:
      "With `released`: whether the issue keeps its number of attempts, instead of starting with 0 again. Default: false.",
  }),
  exitCode: Schema.optionalKey(
    Schema.NullOr(
      Schema.Int.check(Schema.isBetween({ minimum: -2_147_483_648, maximum: 4_294_967_295 })),
    ),
  ).annotateKey({ description: "The exit code of the command that worked. Default: null." }),
  usage,
}).annotate({ identifier: "Finish", description: "The body of a request that finishes a run." });
export interface Finish extends Schema.Schema.Type<typeof Finish> {}
