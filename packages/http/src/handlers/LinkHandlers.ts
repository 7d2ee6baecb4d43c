import { Links } from "@quartermaster/core";
import { Effect } from "effect";
import * as Group from "./Group.ts";
import { Api } from "../api/Api.ts";
import * as Answer from "./Answer.ts";

export const layer = Group.group(
  Api,
  "links",
  Effect.fnUntraced(function* (handlers) {
    const links = yield* Links.Links;

    return handlers.handleAll({
      list: ({ params, query }) => Answer.page(links.list(params.issueId, query)),
      create: ({ params, payload }) => Answer.created(links.create(params.issueId, payload)),
      delete: ({ params }) => Answer.noContent(links.remove(params.linkId)),
    });
  }),
);
