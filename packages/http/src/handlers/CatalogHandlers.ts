import { Catalog, RuntimeProbe } from "@quartermaster/core";
import { Effect } from "effect";
import * as Reply from "../runner/Reply.ts";
import * as Handlers from "./Handlers.ts";

export const layer = Handlers.layer(
  Effect.gen(function* () {
    const catalog = yield* Catalog.Catalog;
    const probe = yield* RuntimeProbe.RuntimeProbe;

    return Handlers.of("catalog", {
      list: ({ query }) => Reply.ok(Effect.sync(() => catalog.list(query.category))),
      get: ({ params }) => Reply.ok(catalog.get(params.entryId)),
      runtime: () => Reply.ok(probe.detect),
    });
  }),
);
