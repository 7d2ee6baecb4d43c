import { Keys } from "@quartermaster/core";
import { Effect } from "effect";
import * as Group from "./Group.ts";
import { Api } from "../api/Api.ts";
import * as Answer from "./Answer.ts";

export const layer = Group.group(
  Api,
  "keys",
  Effect.fnUntraced(function* (handlers) {
    const keys = yield* Keys.Keys;

    return handlers.handleAll({
      list: ({ query }) => Answer.page(keys.list(query)),
      create: ({ payload }) => Answer.created(keys.create(payload)),
      delete: ({ params }) => Answer.noContent(keys.remove(params.keyId)),
    });
  }),
);
