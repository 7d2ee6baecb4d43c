import { Agents, Projects } from "@quartermaster/core";
import { Effect, Schema } from "effect";
import { brief } from "./Brief.ts";
import { cursorOf, define, page, reads, type ServiceTool } from "./ServiceTool.ts";

/** The tools that find the ids of projects and agents. */
export const make: Effect.Effect<
  ReadonlyArray<ServiceTool>,
  never,
  Agents.Agents | Projects.Projects
> = Effect.gen(function* () {
  const agents = yield* Agents.Agents;
  const projects = yield* Projects.Projects;

  return [
    define({
      name: "projects_list",
      title: "List projects",
      description:
        "Lists the projects that your key may see, by id, with their issues by status. Use it to find the projectId of a new issue.",
      takes: Schema.Struct(page(100)),
      annotations: reads,
      run: (request) =>
        Effect.map(projects.list(request), ({ items, next }) => ({
          projects: items.map(brief),
          ...cursorOf(next),
        })),
    }),
    define({
      name: "agents_list",
      title: "List agents",
      description:
        "Lists the agents, newest first, with the time when each was last seen. Use it to find an assignee.",
      takes: Schema.Struct(page(100)),
      annotations: reads,
      run: (request) =>
        Effect.map(agents.list(request), ({ items, next }) => ({
          agents: items.map(({ activeRuns, id, lastHeartbeatAt, name, paused }) =>
            brief({ id, name: name === id ? null : name, paused, activeRuns, lastHeartbeatAt }),
          ),
          ...cursorOf(next),
        })),
    }),
  ];
});
