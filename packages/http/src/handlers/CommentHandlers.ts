import { Comments } from "@quartermaster/core";
import { Effect } from "effect";
import * as Reply from "../endpoint/Reply.ts";
import * as Handlers from "./Handlers.ts";

export const layer = Handlers.layer(
  Effect.gen(function* () {
    const comments = yield* Comments.Comments;

    return Handlers.of("comments", {
      list: ({ params, query }) => Reply.page(query, (page) => comments.list(params.issueId, page)),
      update: ({ headers, params, payload }) =>
        Reply.versioned(
          comments.update(params.issueId, params.commentId, payload, {
            ifMatch: headers["if-match"],
          }),
        ),
      delete: ({ headers, params, query }) =>
        Reply.noContent(
          comments.remove(params.issueId, params.commentId, {
            ifMatch: headers["if-match"],
            purge: query.purge,
          }),
        ),
      versions: ({ params, query }) =>
        Reply.page(query, (page) => comments.versions(params.issueId, params.commentId, page)),
      create: ({ params, payload }) => Reply.created(comments.create(params.issueId, payload)),
    });
  }),
);
