import { Id, Project } from "@quartermaster/core";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions } from "./Access.ts";
import * as Problem from "./Problem.ts";

const project = {
  projectId: Id.ProjectId.annotateKey({ description: "The project's id, chosen by the host." }),
};

const put = HttpApiEndpoint.put("put", "/api/projects/:projectId", {
  params: project,
  payload: Project.ProjectUpdate.annotate({ examples: [{ paused: true }] }),
  success: Project.Project,
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "Pause a project",
    description:
      "`paused: true` stops the live runs of the project's issues at their next turn, and no heartbeat claims its issues until the pause ends.",
    access: { role: "Editor", cookie: true, only: "person" },
  }),
);

/** Projects of the host. */
export class ProjectsApi extends HttpApiGroup.make("projects")
  .add(put)
  .middleware(Conventions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Projects", description: "The projects of the host." }),
  ) {}
