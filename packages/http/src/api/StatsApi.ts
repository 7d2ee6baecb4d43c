import { Statistics } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, viewer } from "./Access.ts";
import { paging } from "./Query.ts";

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

const agents = HttpApiEndpoint.get("agents", "/api/stats/agents", {
  query: { ...paging, ...Statistics.StatsFilter.fields },
  success: Schema.Array(Statistics.AgentStatistics),
}).annotateMerge(
  about({
    summary: "List statistics of agents",
    description:
      "Returns runs, hand-ins and reviews of each registered agent in the projects of the request, newest agent first by default; paged. `GET /api/usage` has their tokens and cost.",
    access: viewer,
  }),
);

/** Statistics. */
export class StatsApi extends HttpApiGroup.make("stats")
  .add(get, agents)
  .middleware(Conventions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Statistics",
      description: "Statistics about issues, runs, agents and tool calls.",
    }),
  ) {}
