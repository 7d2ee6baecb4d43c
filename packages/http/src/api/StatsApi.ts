import { Statistics } from "@quartermaster/core";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, viewer } from "./Access.ts";

const get = HttpApiEndpoint.get("get", "/api/stats", {
  query: Statistics.StatsFilter.fields,
  success: Statistics.Statistics,
}).annotateMerge(
  about({
    summary: "Get statistics",
    description:
      "Returns statistics of every project that the caller may see, or of one project. The service counts new events every few seconds; `asOf` is the time up to which it has counted.",
    access: viewer,
  }),
);

/** Statistics. */
export class StatsApi extends HttpApiGroup.make("stats")
  .add(get)
  .middleware(Conventions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Statistics",
      description: "Statistics about issues, runs, agents and tool calls.",
    }),
  ) {}
