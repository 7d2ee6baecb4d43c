import { Id, Question, Questions, type Workers } from "@quartermaster/core";
import { Effect, Schema } from "effect";
import { brief } from "./Brief.ts";
import * as HeldIssue from "./HeldIssue.ts";
import { cursorOf, define, page, reads, type ServiceTool, updates } from "./ServiceTool.ts";

const ListArguments = Schema.Struct({
  ...HeldIssue.issueId,
  status: Schema.optionalKey(Question.QuestionStatus).annotateKey({
    description: "Only questions with this status.",
  }),
  ...page(100),
});

const WithdrawArguments = Schema.Struct({
  questionId: Id.ServiceId.annotateKey({ description: "The id of the question." }),
});

/** The tools for questions that were asked. */
export const make: Effect.Effect<
  ReadonlyArray<ServiceTool>,
  never,
  Questions.Questions | Workers.Workers
> = Effect.gen(function* () {
  const questions = yield* Questions.Questions;
  const heldIssue = yield* HeldIssue.make;

  return [
    define({
      name: "questions_list",
      title: "List questions",
      description: "Lists the questions on an issue with their answers, oldest first.",
      takes: ListArguments,
      annotations: reads,
      run: Effect.fnUntraced(function* ({ issueId, ...request }, caller) {
        const { items, next } = yield* questions.list(
          issueId ?? (yield* heldIssue(caller)),
          request,
        );
        return { questions: items.map(brief), ...cursorOf(next) };
      }),
    }),
    define({
      name: "question_withdraw",
      title: "Withdraw a question",
      description: "Withdraws an open question whose answer you no longer need.",
      takes: WithdrawArguments,
      annotations: updates,
      run: ({ questionId }) => Effect.as(questions.withdraw(questionId), { withdrawn: questionId }),
    }),
  ];
});
