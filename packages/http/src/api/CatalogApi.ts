import { CatalogEntry, Id, RuntimeProbe } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, management } from "./Access.ts";
import * as Problem from "./Problem.ts";

const list = HttpApiEndpoint.get("list", "/api/mcp/catalog", {
  query: {
    category: Schema.optionalKey(CatalogEntry.Category).annotateKey({
      description: "Entries of this category only.",
    }),
  },
  success: Schema.Array(CatalogEntry.CatalogEntrySummary),
}).annotateMerge(
  about({
    summary: "List the catalog",
    description:
      "Returns every entry, or the entries of one category, in the order of the catalog files.",
    access: management,
  }),
);

const get = HttpApiEndpoint.get("get", "/api/mcp/catalog/:entryId", {
  params: { entryId: Id.ServiceId.annotateKey({ description: "The catalog entry's id." }) },
  success: CatalogEntry.CatalogEntry,
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "Get a catalog entry",
    description: "Returns the entry with its manifest and its variables.",
    access: management,
  }),
);

const runtime = HttpApiEndpoint.get("runtime", "/api/mcp/runtime", {
  success: RuntimeProbe.RuntimeReport,
}).annotateMerge(
  about({
    summary: "Get the runtimes of this host",
    description:
      "Shows whether the host can run a server that needs node, python or pipx, before you install it.",
    access: management,
  }),
);

/** The curated servers that can be installed, and what the host can run. */
export class CatalogApi extends HttpApiGroup.make("catalog")
  .add(list, get, runtime)
  .middleware(Conventions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Catalog",
      description: "MCP servers to install, and the runtimes of this host.",
    }),
  ) {}
