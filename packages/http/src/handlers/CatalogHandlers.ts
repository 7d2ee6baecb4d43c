import {
  type CatalogEntry,
  CatalogEntries,
  ProcessSpawner,
  type RuntimeProbe,
} from "@quartermaster/core";
import { Effect } from "effect";
import * as Reply from "../endpoint/Reply.ts";
import * as Handlers from "./Handlers.ts";

const urlOf = ({ id }: CatalogEntry.CatalogEntry) => `/api/mcp/catalog/${id}`;

export const layer = Handlers.layer(
  Effect.gen(function* () {
    const catalog = yield* CatalogEntries.CatalogEntries;
    const context = yield* Effect.context<
      ProcessSpawner.ProcessSpawner | RuntimeProbe.RuntimeProbe
    >();

    return Handlers.of("catalog", {
      list: ({ query }) => Reply.ok(catalog.list(query.category)),
      get: ({ params }) => Reply.ok(catalog.get(params.entryId)),
      create: ({ payload }) => Reply.created(catalog.create(payload), urlOf),
      put: ({ params, payload }) => Reply.ok(catalog.put(params.entryId, payload)),
      delete: ({ params }) => Reply.noContent(catalog.remove(params.entryId)),
      runtime: () => Reply.ok(Effect.provideContext(ProcessSpawner.hostReport, context)),
    });
  }),
);
