import { Heartbeat, Id, Question } from "@quartermaster/core";
import { Schema } from "effect";
import * as HeldIssue from "./HeldIssue.ts";

/** The arguments of the tools of the work loop. */

const wait = Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 55 })));

const runId = {
  runId: Schema.optionalKey(Id.ServiceId).annotateKey({
    description: "The run. Default: the one that you hold.",
  }),
};

export const NextArguments = Schema.Struct({
  waitSeconds: wait.annotateKey({
    description:
      "Seconds to wait for an issue, 0 to 55; 55 is best if you have no other work. Default: 0.",
  }),
  projectId: Schema.optionalKey(Id.ProjectId).annotateKey({
    description: "Picks up an issue of this project only. Default: any project.",
  }),
  leaseSeconds: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 60, maximum: 86_400 })),
  ).annotateKey({
    description:
      "Seconds that you work without a call, 60 to 86,400. If you use other tools for longer, call work_turn in between. Default: 900.",
  }),
  resume: Schema.optionalKey(Schema.Boolean).annotateKey({
    description:
      "Continues the run that your key holds after a crash of this session. Do not use it because of busy.",
  }),
  runId: Schema.optionalKey(Id.ServiceId).annotateKey({
    description:
      "Takes over this run of your agent, whose process is gone: it ends, and a new run of its issue starts.",
  }),
});

export const TurnArguments = Schema.Struct({
  ...runId,
  ...Heartbeat.Turn.fields,
  takeOver: Schema.optionalKey(Schema.Boolean).annotateKey({
    description:
      "True takes over the run in runId, whose process is gone, and returns the runId of the new one.",
  }),
});

const reports = { type: "array", items: { type: "object" } };

/** Parameters whose full schema would cost a model more tokens than all others of its tool. */
export const turnParameters = {
  usage: {
    ...reports,
    description:
      "Your tokens since the last report, if known: { key, model, inputTokens, outputTokens, costMicros? }, with a new key each.",
  },
};
export const finishParameters = { usage: { ...reports, description: "As in work_turn." } };

export const FinishArguments = Schema.Struct({ ...Heartbeat.Finish.fields, ...runId });

export const AskArguments = Schema.Struct({
  ...Question.QuestionCreate.fields,
  waitSeconds: wait.annotateKey({
    description: "Seconds to wait for the answer, 0 to 55. Default: 0.",
  }),
  ...HeldIssue.issueId,
});
