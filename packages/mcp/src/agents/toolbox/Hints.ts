import { Projects } from "@quartermaster/core";
import { Effect, Option } from "effect";

/** Hints in results about ids that the service accepts although they may be misspelled. */

/** The maximum number of projects that a hint names. */
const projectsNamed = 20;

export type Services = Projects.Projects;

export const make = Effect.gen(function* () {
  const projects = yield* Projects.Projects;

  /** Names the projects that have issues, unless `projectId` has one. */
  const otherProjects = Effect.fnUntraced(function* (projectId: string) {
    const found = yield* Effect.option(projects.list({ limit: 500 }));
    if (Option.isNone(found)) return {};
    const { items, next } = found.value;
    if (next !== null || items.some(({ id }) => id === projectId)) return {};
    const names = items.slice(0, projectsNamed).map(({ id }) => id);
    const rest = items.length > names.length ? `, and ${items.length - names.length} more` : "";
    const known = names.length === 0 ? "" : ` You see the projects ${names.join(", ")}${rest}.`;
    return { warning: `No issue is in the project ${projectId}.${known}` };
  });

  return { otherProjects };
});
