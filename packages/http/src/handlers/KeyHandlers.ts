import { Keys } from "@quartermaster/core";
import { Effect } from "effect";
import * as Reply from "../endpoint/Reply.ts";
import * as Handlers from "./Handlers.ts";

export const layer = Handlers.layer(
  Effect.gen(function* () {
    const keys = yield* Keys.Keys;

    return Handlers.of("keys", {
      list: ({ query }) => Reply.page(query, (page) => keys.list(page)),
      names: ({ query }) => Reply.ok(keys.names(query)),
      create: ({ payload }) => Reply.created(keys.create(payload)),
      delete: ({ params }) => Reply.noContent(keys.remove(params.keyId)),
    });
  }),
);
