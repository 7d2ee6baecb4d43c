import { Links } from "@quartermaster/core";
import { Effect } from "effect";
import * as Reply from "../endpoint/Reply.ts";
import * as Handlers from "./Handlers.ts";

export const layer = Handlers.layer(
  Effect.gen(function* () {
    const links = yield* Links.Links;

    return Handlers.of("links", {
      list: ({ params, query }) => Reply.page(query, (page) => links.list(params.issueId, page)),
      create: ({ params, payload }) => Reply.created(links.create(params.issueId, payload)),
      delete: ({ params }) => Reply.noContent(links.remove(params.linkId)),
    });
  }),
);
