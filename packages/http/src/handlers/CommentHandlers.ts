import { Comments } from "@quartermaster/core";
import { Effect } from "effect";
import * as Group from "./Group.ts";
import { Api } from "../api/Api.ts";
import * as Answer from "./Answer.ts";

export const layer = Group.group(
  Api,
  "comments",
  Effect.fnUntraced(function* (handlers) {
    const comments = yield* Comments.Comments;

    return handlers.handleAll({
      list: ({ params, query }) => Answer.page(comments.list(params.issueId, query)),
      create: ({ params, payload }) => Answer.created(comments.create(params.issueId, payload)),
    });
  }),
);
