import { Catalog, RuntimeProbe } from "@quartermaster/core";
import { Effect } from "effect";
import * as Group from "./Group.ts";
import { Api } from "../api/Api.ts";
import * as Answer from "./Answer.ts";

export const layer = Group.group(
  Api,
  "catalog",
  Effect.fnUntraced(function* (handlers) {
    const catalog = yield* Catalog.Catalog;
    const probe = yield* RuntimeProbe.RuntimeProbe;

    return handlers.handleAll({
      list: ({ query }) => Answer.ok(Effect.sync(() => catalog.list(query.category))),
      get: ({ params }) => Answer.ok(catalog.get(params.entryId)),
      runtime: () => Answer.ok(probe.detect),
    });
  }),
);
