import { Id, IssueGraph, Project } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, viewer } from "./Access.ts";
import * as Problem from "./Problem.ts";
import { graphDepth, paging } from "./Query.ts";

const project = {
  projectId: Id.ProjectId.annotateKey({ description: "The project's id, chosen by the host." }),
};

const list = HttpApiEndpoint.get("list", "/api/projects", {
  query: {
    ...paging,
    order: paging.order.annotateKey({ description: "`asc` (default) or `desc`, by id." }),
  },
  success: Schema.Array(Project.ProjectSummary),
}).annotateMerge(
  about({
    summary: "List projects",
    description:
      "Returns the projects that have an issue or are paused, by id; paged. A key that is bound to projects sees only those projects.",
    access: viewer,
  }),
);

const put = HttpApiEndpoint.put("put", "/api/projects/:projectId", {
  params: project,
  payload: Project.ProjectUpdate.annotate({ examples: [{ paused: true }] }),
  success: Project.Project,
  error: [Problem.NotFound, Problem.RunEnded],
}).annotateMerge(
  about({
    summary: "Pause a project",
    description:
      "`paused: true` stops the live runs of the project at their next turn. Until the pause ends, no heartbeat claims issues of the project.",
    access: { role: "Editor", cookie: true, only: "person" },
  }),
);

const graph = HttpApiEndpoint.get("graph", "/api/projects/:projectId/graph", {
  params: project,
  query: graphDepth,
  success: IssueGraph.IssueGraph,
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "Get a project's graph",
    description:
      "Returns the project's issues, open and newest issues first, with their transitive blockers and dependents in other projects; up to 500 issues. Omits issues that the caller may not see, and issues that are reachable only through those.",
    access: viewer,
  }),
);

/** Projects of the host. */
export class ProjectsApi extends HttpApiGroup.make("projects")
  .add(list, put, graph)
  .middleware(Conventions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Projects", description: "The projects of the host." }),
  ) {}
