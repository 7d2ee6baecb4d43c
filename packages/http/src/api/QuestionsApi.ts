import { Id, Question } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, editor, viewer } from "./Access.ts";
import * as Problem from "./Problem.ts";
import { idempotencyKey, paging } from "./Query.ts";

const ofIssue = "/api/projects/issues/:issueId/questions";
const issue = { issueId: Id.ServiceId.annotateKey({ description: "The issue's id." }) };

const path = "/api/projects/questions/:questionId";
const params = {
  // Refused, since such a request means the issues of a project.
  questionId: Id.ServiceId.check(
    Schema.isPattern(/^(?!issues$)/, { expected: "a question id, not a reserved word" }),
  ).annotateKey({ description: "The question's id." }),
};

const ask = HttpApiEndpoint.post("ask", ofIssue, {
  params: issue,
  headers: idempotencyKey,
  payload: Question.QuestionCreate.annotate({
    examples: [
      { prompt: "Which region first?", kind: "choice", options: ["eu", "us"], key: "region" },
    ],
  }),
  success: [Question.Question.pipe(HttpApiSchema.status(201)), Question.Question],
  error: [
    Problem.NotFound,
    Problem.QuestionClosed,
    Problem.LimitExceeded,
    Problem.IdempotencyMismatch,
  ],
}).annotateMerge(
  about({
    summary: "Ask a person",
    description:
      "While a blocking question is open, no heartbeat picks the issue up; a live run continues. An agent asks a blocking question only on an issue that is assigned to it (403). An open question of the issue with the same `key` is returned with 200. At most 20 questions of an issue are open.",
    access: editor,
    idempotencyKey: "honoured",
  }),
);

const list = HttpApiEndpoint.get("list", ofIssue, {
  params: issue,
  query: {
    ...paging,
    status: Schema.optionalKey(Question.QuestionStatus).annotateKey({
      description: "Questions of this status only.",
    }),
  },
  success: Schema.Array(Question.Question),
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "List an issue's questions",
    description: "Oldest first by default; paged.",
    access: viewer,
  }),
);

const get = HttpApiEndpoint.get("get", path, {
  params,
  success: Question.Question,
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "Get a question",
    description: "A question whose time is over reads as `expired`.",
    access: viewer,
  }),
);

const answer = HttpApiEndpoint.post("answer", `${path}/answer`, {
  params,
  headers: idempotencyKey,
  payload: Question.QuestionAnswer.annotate({ examples: [{ answer: "eu" }] }),
  success: Question.Question,
  error: [Problem.NotFound, Problem.QuestionClosed, Problem.IdempotencyMismatch],
}).annotateMerge(
  about({
    summary: "Answer a question",
    description:
      "Only a person answers: an agent's key is 403. The answer also becomes a comment by the person, so the next turn of the issue's run returns it. The same answer by the same person again is 200.",
    access: { ...editor, only: "person" },
    idempotencyKey: "honoured",
  }),
);

const withdraw = HttpApiEndpoint.delete("withdraw", path, {
  params,
  success: HttpApiSchema.NoContent,
  error: [Problem.NotFound, Problem.QuestionClosed],
}).annotateMerge(
  about({
    summary: "Withdraw a question",
    description: "A question that is answered or expired is 409; a withdrawn one stays withdrawn.",
    access: editor,
  }),
);

/** Questions of agents to people. */
export class QuestionsApi extends HttpApiGroup.make("questions")
  .add(ask, list, get, answer, withdraw)
  .middleware(Conventions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Questions",
      description: "Questions of agents that only a person may answer.",
    }),
  ) {}
