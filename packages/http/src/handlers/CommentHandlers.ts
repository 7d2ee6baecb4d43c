import { Comments } from "@quartermaster/core";
import { Effect } from "effect";
import * as Reply from "../endpoint/Reply.ts";
import * as Handlers from "./Handlers.ts";

export const layer = Handlers.layer(
  Effect.gen(function* () {
    const comments = yield* Comments.Comments;

    return Handlers.of("comments", {
      list: ({ params, query }) => Reply.page(query, (page) => comments.list(params.issueId, page)),
      create: ({ params, payload }) => Reply.created(comments.create(params.issueId, payload)),
    });
  }),
);
