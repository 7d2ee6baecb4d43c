import { Id, IssueGraph, Project } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, viewer } from "./Access.ts";
import * as Problem from "./Problem.ts";
import { graphDepth, idempotencyKey, paging } from "./Query.ts";

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
      "Returns the projects by id; paged. A key that is bound to projects sees only those projects.",
    access: viewer,
  }),
);

const create = HttpApiEndpoint.post("create", "/api/projects", {
  headers: idempotencyKey,
  payload: Project.ProjectCreate.annotate({ examples: [{ id: "shop", name: "Shop" }] }),
  success: Project.Project.pipe(HttpApiSchema.status(201)),
  error: [
    Problem.NotFound,
    Problem.RunEnded,
    Problem.Exists,
    Problem.IdempotencyMismatch,
    Problem.LimitExceeded,
  ],
}).annotateMerge(
  about({
    summary: "Create a project",
    description:
      "The first issue in a project also creates it. Responds with 404 if the host has its own directory of projects.",
    access: { role: "Editor", cookie: true, only: "unboundPerson" },
    idempotencyKey: "honoured",
  }),
);

const get = HttpApiEndpoint.get("get", "/api/projects/:projectId", {
  params: project,
  success: Project.Project,
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "Get a project",
    description: "Returns the project with its prefix and settings.",
    access: viewer,
  }),
);

const put = HttpApiEndpoint.put("put", "/api/projects/:projectId", {
  params: project,
  payload: Project.ProjectUpdate.annotate({ examples: [{ paused: true }] }),
  success: Project.Project,
  error: [Problem.NotFound, Problem.RunEnded, Problem.Exists, Problem.LimitExceeded],
}).annotateMerge(
  about({
    summary: "Change a project",
    description:
      "Creates the project if it does not exist. A new `prefix` gives its issues other keys, and the earlier keys continue to work. `paused: true` stops the live runs of the project at their next turn. Until the pause ends, no heartbeat claims issues of the project.",
    access: { role: "Editor", cookie: true, only: "person" },
  }),
);

const remove = HttpApiEndpoint.delete("delete", "/api/projects/:projectId", {
  params: project,
  success: HttpApiSchema.NoContent,
  error: [Problem.NotFound, Problem.InUse],
}).annotateMerge(
  about({
    summary: "Delete a project",
    description:
      "Deletes a project without issues, with its settings, its runs, the views that are shared with it and the webhooks that are bound to it. Its prefixes continue to belong to it: if it is created again, it gets them back, and no number of an issue is given twice. Responds with 409 while it has issues, or live runs of deleted ones.",
    access: { role: "Admin", cookie: true, only: "unboundPerson" },
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
  .add(list, create, get, put, remove, graph)
  .middleware(Conventions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Projects", description: "The projects of the host." }),
  ) {}
