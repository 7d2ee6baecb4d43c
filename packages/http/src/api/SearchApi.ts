import { Finding } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, viewer } from "./Access.ts";

const find = HttpApiEndpoint.get("find", "/api/search", {
  query: Finding.FindingRequest.fields,
  success: Schema.Array(Finding.Finding),
}).annotateMerge(
  about({
    summary: "Search everything",
    description:
      "Returns projects, agents and, for an Admin bound to no project, servers by name, then issues by relevance.",
    access: viewer,
  }),
);

/** The search over everything that has a name. */
export class SearchApi extends HttpApiGroup.make("search")
  .add(find)
  .middleware(Conventions)
  .middleware(Authorization)
  .annotateMerge(OpenApi.annotations({ title: "Search" })) {}
