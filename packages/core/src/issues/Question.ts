import { Schema } from "effect";
import { Actor } from "../Actor.ts";
import { ServiceId } from "../Id.ts";
import * as Text from "../Text.ts";
import * as Timestamp from "../Timestamp.ts";
import { isDue } from "./QuestionTime.ts";

export { isAwaited, isDue } from "./QuestionTime.ts";

/** A question on an issue that only a person may answer. */

export const QuestionKind = Schema.Literals(["text", "choice", "confirm"]);
export type QuestionKind = typeof QuestionKind.Type;

export const QuestionStatus = Schema.Literals(["open", "answered", "expired", "withdrawn"]);
export type QuestionStatus = typeof QuestionStatus.Type;

export const OnExpiry = Schema.Literals(["continue", "pause"]);
export type OnExpiry = typeof OnExpiry.Type;

/** The largest number of open questions of an issue. */
export const maxOpen = 20;

const prompted = "The question, 1 to 8,192 characters.";

const kinds =
  "`text`: any text is an answer. `choice`: the answer is one of `options`. `confirm`: the answer is `yes` or `no`.";

export const Question = Schema.Struct({
  id: ServiceId.annotateKey({ description: "The question's id." }),
  issueId: ServiceId.annotateKey({ description: "The issue that the question is about." }),
  issueKey: Schema.NullOr(Schema.String).annotateKey({ description: "The issue's key." }),
  runId: Schema.NullOr(ServiceId).annotateKey({
    description: "The run of the agent that asked; null if the caller had no live run.",
  }),
  askedBy: Actor.annotateKey({ description: "The user, agent or key that asked." }),
  kind: QuestionKind.annotateKey({
    description: kinds,
  }),
  prompt: Schema.String.annotateKey({ description: prompted }),
  options: Schema.NullOr(Schema.Array(Schema.String)).annotateKey({
    description: "The possible answers; null unless the kind is `choice`.",
  }),
  blocking: Schema.Boolean.annotateKey({
    description: "True if no agent may pick the issue up while the question is open.",
  }),
  status: QuestionStatus.annotateKey({
    description:
      "`open`: the question waits for an answer. `answered`: it has one. `expired`: no answer came in time. `withdrawn`: an answer is no longer needed.",
  }),
  answer: Schema.NullOr(Schema.String).annotateKey({
    description: "The answer, 1 to 32,768 characters; null unless the status is `answered`.",
  }),
  answeredBy: Schema.NullOr(Actor).annotateKey({
    description: "The person who answered; null unless the status is `answered`.",
  }),
  createdAt: Timestamp.Timestamp.annotateKey({ description: "When the question was asked." }),
  expiresAt: Schema.NullOr(Timestamp.Timestamp).annotateKey({
    description: "When the question expires without an answer; null if it never does.",
  }),
  answeredAt: Schema.NullOr(Timestamp.Timestamp).annotateKey({
    description: "When the question was answered; null unless the status is `answered`.",
  }),
}).annotate({
  identifier: "Question",
  description: "A question about an issue that a person has to answer.",
});
export interface Question extends Schema.Schema.Type<typeof Question> {}

/**
 * The stored form of a question. The storage assigns `seq`, its position in the order of creation.
 */
export interface QuestionRow extends Question {
  readonly seq: number;
  readonly projectId: string;
  /** The effect of an expiry on the issue. */
  readonly onExpiry: OnExpiry;
  /**
   * The asker's own key for the question. While a question with this key is open, no second one is
   * created.
   */
  readonly key: string | null;
}

export const QuestionCreate = Schema.Struct({
  prompt: Text.between(1, 8_192).annotateKey({
    description: prompted,
  }),
  kind: Schema.optionalKey(Schema.NullOr(QuestionKind)).annotateKey({
    description: `${kinds} Default: \`text\`.`,
  }),
  options: Schema.optionalKey(
    Schema.NullOr(
      Schema.Array(Text.between(1, 200)).check(
        Schema.isBetweenLength(2, 10),
        Schema.makeFilter<ReadonlyArray<string>>(
          (options) => new Set(options).size === options.length,
          { expected: "options that differ" },
        ),
      ),
    ),
  ).annotateKey({
    description:
      "The possible answers: 2 to 10 different texts of 1 to 200 characters. Required for the kind `choice`, and not allowed for others.",
  }),
  blocking: Schema.optionalKey(Schema.NullOr(Schema.Boolean)).annotateKey({
    description:
      "True if no agent may pick the issue up while the question is open. Default: true.",
  }),
  expiresInSeconds: Schema.optionalKey(
    Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 60, maximum: 2_592_000 }))),
  ).annotateKey({
    description: "Seconds until the question expires, 60 to 2,592,000. Default: it never does.",
  }),
  onExpiry: Schema.optionalKey(Schema.NullOr(OnExpiry)).annotateKey({
    description:
      "The effect of the expiry. `continue`: the issue can be picked up again. `pause`: the issue is paused, and its run has to stop. Default: `continue`.",
  }),
  key: Schema.optionalKey(Schema.NullOr(Text.between(1, 64))).annotateKey({
    description:
      "The caller's own key for the question, 1 to 64 characters. While the issue has an open question with this key, another request with the key returns that question. Default: null.",
  }),
}).annotate({
  identifier: "QuestionCreate",
  description: "The body of a request that asks a question.",
});
export interface QuestionCreate extends Schema.Schema.Type<typeof QuestionCreate> {}

export const QuestionAnswer = Schema.Struct({
  answer: Text.between(1, 32_768).annotateKey({
    description:
      "1 to 32,768 characters. For the kind `choice` it must be one of `options`, for `confirm` it must be `yes` or `no`.",
  }),
}).annotate({
  identifier: "QuestionAnswer",
  description: "The body of a request that answers a question.",
});
export interface QuestionAnswer extends Schema.Schema.Type<typeof QuestionAnswer> {}

/** The question at `now`, without the fields that only storage needs. */
export const toQuestion = (row: QuestionRow, now: Timestamp.Timestamp): Question => ({
  id: row.id,
  issueId: row.issueId,
  issueKey: row.issueKey,
  runId: row.runId,
  askedBy: row.askedBy,
  kind: row.kind,
  prompt: row.prompt,
  options: row.options,
  blocking: row.blocking,
  status: isDue(row, now) ? "expired" : row.status,
  answer: row.answer,
  answeredBy: row.answeredBy,
  createdAt: row.createdAt,
  expiresAt: row.expiresAt,
  answeredAt: row.answeredAt,
});
