import { Comment, Id } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, editor, viewer } from "./Access.ts";
import * as Problem from "./Problem.ts";
import { idempotencyKey, paging } from "./Query.ts";

const path = "/api/projects/issues/:issueId/comments";
const params = { issueId: Id.ServiceId.annotateKey({ description: "The issue's id." }) };

const list = HttpApiEndpoint.get("list", path, {
  params,
  query: paging,
  success: Schema.Array(Comment.Comment),
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "List an issue's comments",
    description: "Returns comments, oldest first by default; paged.",
    access: viewer,
  }),
);

const create = HttpApiEndpoint.post("create", path, {
  params,
  headers: idempotencyKey,
  payload: Comment.CommentCreate.annotate({
    examples: [{ content: "The old keys expire on Friday." }],
  }),
  success: Comment.Comment.pipe(HttpApiSchema.status(201)),
  error: [Problem.NotFound, Problem.IdempotencyMismatch, Problem.RunEnded],
}).annotateMerge(
  about({
    summary: "Comment on an issue",
    description:
      "The author is the user or agent of the key. The comment appears in the timeline, and the run that holds the issue gets it with its next turn.",
    access: editor,
    idempotencyKey: "honoured",
  }),
);

/** Comments on issues. */
export class CommentsApi extends HttpApiGroup.make("comments")
  .add(list, create)
  .middleware(Conventions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Comments",
      description: "Comments of people and agents on issues.",
    }),
  ) {}
