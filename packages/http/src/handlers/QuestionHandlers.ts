import { Questions } from "@quartermaster/core";
import { Effect } from "effect";
import * as Reply from "../endpoint/Reply.ts";
import * as Handlers from "./Handlers.ts";

const urlOf = ({ id }: { readonly id: string }) => `/api/projects/questions/${id}`;

export const layer = Handlers.layer(
  Effect.gen(function* () {
    const questions = yield* Questions.Questions;

    return Handlers.of("questions", {
      ask: ({ params, payload }) =>
        Effect.flatMap(questions.ask(params.issueId, payload), ({ isNew, question }) =>
          isNew
            ? Reply.created(Effect.succeed(question), urlOf)
            : Reply.ok(Effect.succeed(question)),
        ),
      list: ({ params, query }) =>
        Reply.page(query, (page) => questions.list(params.issueId, page)),
      get: ({ params }) => Reply.ok(questions.get(params.questionId)),
      answer: ({ params, payload }) => Reply.ok(questions.answer(params.questionId, payload)),
      withdraw: ({ params }) => Reply.noContent(questions.withdraw(params.questionId)),
    });
  }),
);
