import type { Question } from "@quartermaster/client";
import { Effect, Option } from "effect";
import * as Api from "../Api.ts";
import * as Connection from "../Connection.ts";
import * as Input from "../Input.ts";
import * as Lists from "../Lists.ts";
import * as Output from "../Output.ts";

/** What may be answered. */
const answersOf = ({ kind, options }: Question): string => {
  if (kind === "confirm") return "yes, no";
  return options === null ? "" : options.join(", ");
};

export const list = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & {
    readonly issue: string;
    readonly status: Option.Option<Question["status"]>;
    readonly limit: number;
  },
) {
  const access = yield* Connection.open(flags);
  const { issue, limit } = flags;
  const status = Option.getOrUndefined(flags.status);
  const questions = yield* Lists.take(access, limit, (client, options) =>
    client.questions.list({ issueId: issue, status, limit: Lists.pageSize(limit) }, options),
  );
  yield* Output.list(
    flags.json,
    questions,
    ["ID", "STATUS", "QUESTION", "ANSWERS", "ANSWER"],
    questions.map((question) => [
      question.id,
      question.status,
      question.prompt,
      answersOf(question),
      question.answer,
    ]),
  );
});

export const answer = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & { readonly question: string; readonly answer: string },
) {
  const access = yield* Connection.open(flags);
  const answer = yield* Input.text(flags.answer);
  const question = yield* Api.call(access, (client, options) =>
    client.questions.answer({ questionId: flags.question, answer }, options),
  );
  yield* Output.one(flags.json, question, [Output.cell(`${question.id} ${question.status}`)]);
});
