import { Comment, Id } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, editor, viewer } from "./Access.ts";
import * as Problem from "./Problem.ts";
import { idempotencyKey, paging, precondition } from "./Query.ts";

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

const one = {
  ...params,
  commentId: Id.ServiceId.annotateKey({ description: "The comment's id." }),
};

/** Refusals of both changes of a comment. */
const refusals = [
  Problem.NotFound,
  Problem.PreconditionFailed,
  Problem.CommentFixed,
  Problem.RunEnded,
] as const;

const update = HttpApiEndpoint.put("update", `${path}/:commentId`, {
  params: one,
  headers: precondition,
  payload: Comment.CommentUpdate.annotate({
    examples: [{ content: "The old keys expire on Monday." }],
  }),
  success: Comment.Comment,
  error: refusals,
}).annotateMerge(
  about({
    summary: "Edit a comment",
    description:
      "The earlier text stays a version of the comment. `ETag` is the new version. Editors edit every comment; a Viewer, and an agent's key, only their own. Responds with 409 for a comment that is a hand-in, an answer, by the service, or deleted.",
    access: viewer,
  }),
);

const remove = HttpApiEndpoint.delete("delete", `${path}/:commentId`, {
  params: one,
  headers: precondition,
  query: {
    purge: Schema.optionalKey(Schema.Boolean).annotateKey({
      description:
        "Removes every version of the comment, also of one that is fixed or deleted. Requires the role Admin. Default: false.",
      contentSchema: { type: "boolean", default: false },
    }),
  },
  success: HttpApiSchema.NoContent,
  error: refusals,
}).annotateMerge(
  about({
    summary: "Delete a comment",
    description:
      "The comment keeps its id, without a text; its versions stay. Editors delete every comment; a Viewer, and an agent's key, only their own. Responds with 409 for a comment that is a hand-in, an answer or by the service. Deleting a deleted comment changes nothing.",
    access: viewer,
  }),
);

const versions = HttpApiEndpoint.get("versions", `${path}/:commentId/versions`, {
  params: one,
  query: paging,
  success: Schema.Array(Comment.CommentVersion),
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "List the versions of a comment",
    description: "Returns the texts that the comment has and had, oldest first by default; paged.",
    access: viewer,
  }),
);

/** Comments on issues. */
export class CommentsApi extends HttpApiGroup.make("comments")
  .add(list, create, update, remove, versions)
  .middleware(Conventions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Comments",
      description: "Comments of people and agents on issues.",
    }),
  ) {}
