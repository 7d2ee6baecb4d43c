import { Statistics } from "@quartermaster/core";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, viewer } from "./Access.ts";

const get = HttpApiEndpoint.get("get", "/api/stats", {
  query: Statistics.StatsFilter.fields,
  success: Statistics.Statistics,
}).annotateMerge(
  about({
    summary: "Get what happened, in numbers",
    description:
      "Numbers of all projects that the caller may see, or of one. The service counts events every few seconds: `asOf` says how far.",
    access: viewer,
  }),
);

/** What happened, in numbers. */
export class StatsApi extends HttpApiGroup.make("stats")
  .add(get)
  .middleware(Conventions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Statistics", description: "What happened, in numbers." }),
  ) {}
