import { Issues, Projects } from "@quartermaster/core";
import { Effect } from "effect";
import * as Reply from "../endpoint/Reply.ts";
import * as Handlers from "./Handlers.ts";

export const layer = Handlers.layer(
  Effect.gen(function* () {
    const projects = yield* Projects.Projects;
    const issues = yield* Issues.Issues;

    return Handlers.of("projects", {
      list: ({ query }) => Reply.page(query, projects.list),
      create: ({ payload }) =>
        Reply.created(projects.create(payload), ({ id }) => `/api/projects/${id}`),
      get: ({ params }) => Reply.ok(projects.get(params.projectId)),
      put: ({ params, payload }) => Reply.ok(projects.put(params.projectId, payload)),
      delete: ({ params }) => Reply.noContent(projects.remove(params.projectId)),
      graph: ({ params, query }) => Reply.ok(issues.projectGraph(params.projectId, query)),
    });
  }),
);
