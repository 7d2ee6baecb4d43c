import { CatalogEntry, Id, RuntimeProbe } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, management } from "./Access.ts";
import * as Problem from "./Problem.ts";

const list = HttpApiEndpoint.get("list", "/api/mcp/catalog", {
  query: { category: Schema.optionalKey(CatalogEntry.Category) },
  success: Schema.Array(CatalogEntry.CatalogEntrySummary),
}).annotateMerge(
  about({
    summary: "List the catalogue",
    description: "Every entry, or those of one category, in the order of the catalogue's files.",
    access: management,
  }),
);

const get = HttpApiEndpoint.get("get", "/api/mcp/catalog/:entryId", {
  params: { entryId: Id.ServiceId },
  success: CatalogEntry.CatalogEntry,
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "Get a catalogue entry",
    description: "With its manifest and the variables that it reads.",
    access: management,
  }),
);

const runtime = HttpApiEndpoint.get("runtime", "/api/mcp/runtime", {
  success: RuntimeProbe.RuntimeReport,
}).annotateMerge(
  about({
    summary: "What this host can run",
    description:
      "Look here before a stdio server is installed that needs node, python or pipx. What is not detected has neither `version` nor `path`.",
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
      title: "Catalogue",
      description: "Curated MCP servers, and what this host can run.",
    }),
  ) {}
