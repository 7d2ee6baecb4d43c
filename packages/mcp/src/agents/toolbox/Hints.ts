import { Projects } from "@quartermaster/core";
import { Effect, Option } from "effect";
import { Explained, type Refusal } from "./Refusals.ts";

/** Hints in results about ids that may be misspelled. */

/** The maximum number of projects that a hint names. */
const projectsNamed = 20;

export type Services = Projects.Projects;

export const make = Effect.gen(function* () {
  const projects = yield* Projects.Projects;

  /** The ids of the projects that the caller sees; null if they are too many to know them all. */
  const seen = Effect.map(Effect.option(projects.list({ limit: 500 })), (found) =>
    Option.isNone(found) || found.value.next !== null
      ? null
      : found.value.items.map(({ id }) => id),
  );

  const inWords = (ids: ReadonlyArray<string>): string => {
    const names = ids.slice(0, projectsNamed);
    const rest = ids.length > names.length ? `, and ${ids.length - names.length} more` : "";
    return names.length === 0 ? "" : ` You see the projects ${names.join(", ")}${rest}.`;
  };

  /** Names the projects that have issues, unless `projectId` has one. */
  const otherProjects = Effect.fnUntraced(function* (projectId: string) {
    const ids = yield* seen;
    if (ids === null || ids.includes(projectId)) return {};
    return { warning: `No issue is in the project ${projectId}.${inWords(ids)}` };
  });

  /** Names the projects in the refusal of one that the caller may not see. */
  const notSeen = Effect.fnUntraced(function* (refusal: Refusal, projectId: string) {
    if (refusal._tag !== "NotFound" || refusal.resource !== "project") {
      return yield* Effect.fail(refusal);
    }
    return yield* new Explained({
      refusal,
      detail: `The project ${projectId} does not exist, or you may not see it.${inWords((yield* seen) ?? [])}`,
    });
  });

  return { notSeen, otherProjects };
});
