import { SavedViews } from "@quartermaster/core";
import { Effect } from "effect";
import * as Reply from "../endpoint/Reply.ts";
import * as Handlers from "./Handlers.ts";

export const layer = Handlers.layer(
  Effect.gen(function* () {
    const views = yield* SavedViews.SavedViews;

    return Handlers.of("views", {
      list: ({ query }) => Reply.page(query, views.list),
      create: ({ payload }) => Reply.created(views.create(payload), ({ id }) => `/api/views/${id}`),
      update: ({ params, payload }) => Reply.ok(views.update(params.viewId, payload)),
      delete: ({ params }) => Reply.noContent(views.remove(params.viewId)),
    });
  }),
);
