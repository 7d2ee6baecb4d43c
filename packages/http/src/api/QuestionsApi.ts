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
  // The reserved word `issues` is refused: that path lists the issues of a project.
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
    Problem.RunEnded,
    Problem.LimitExceeded,
    Problem.IdempotencyMismatch,
  ],
}).annotateMerge(
  about({
    summary: "Ask a person",
    description:
      "While a blocking question is open, no heartbeat picks the issue up; a live run continues. An agent can ask blocking questions only on issues that are assigned to it; otherwise the response is 403. If the issue has an open question with the same `key`, returns that question with 200. An issue can have at most 20 open questions.",
    access: editor,
    idempotencyKey: "honoured",
  }),
);

const list = HttpApiEndpoint.get("list", ofIssue, {
  params: issue,
  query: {
    ...paging,
    status: Schema.optionalKey(Question.QuestionStatus).annotateKey({
      description: "Only questions with this status.",
    }),
  },
  success: Schema.Array(Question.Question),
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "List an issue's questions",
    description: "Returns questions, oldest first by default; paged.",
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
    description:
      "Returns the question. After `expiresAt`, an unanswered question has the status `expired`.",
    access: viewer,
  }),
);

const answer = HttpApiEndpoint.post("answer", `${path}/answer`, {
  params,
  headers: idempotencyKey,
  payload: Question.QuestionAnswer.annotate({ examples: [{ answer: "eu" }] }),
  success: Question.Question,
  error: [Problem.NotFound, Problem.QuestionClosed, Problem.IdempotencyMismatch, Problem.RunEnded],
}).annotateMerge(
  about({
    summary: "Answer a question",
    description:
      "Only a person can answer; an agent key gets 403. The answer is also added as a comment, so the run that holds the issue gets it with its next turn. The same answer by the same person again returns 200.",
    access: { ...editor, only: "person" },
    idempotencyKey: "honoured",
  }),
);

const withdraw = HttpApiEndpoint.delete("withdraw", path, {
  params,
  success: HttpApiSchema.NoContent,
  error: [Problem.NotFound, Problem.QuestionClosed, Problem.RunEnded],
}).annotateMerge(
  about({
    summary: "Withdraw a question",
    description:
      "Withdraws an open question. Responds with 409 if the question is answered or expired. Withdrawing it again changes nothing.",
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
      description: "Questions that only a person can answer.",
    }),
  ) {}
