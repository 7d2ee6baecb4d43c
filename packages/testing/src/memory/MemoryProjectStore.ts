import { ProjectStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { Database } from "./Database.ts";

export const layer = Layer.effect(
  ProjectStore.ProjectStore,
  Effect.map(Database, (database) =>
    ProjectStore.ProjectStore.of({
      isPaused: (projectId) =>
        database.read(({ pausedProjects }) => pausedProjects.get(projectId) === true),
      setPaused: (projectId, paused) =>
        database.write(({ pausedProjects }) => {
          if ((pausedProjects.get(projectId) === true) === paused) return false;
          if (paused) pausedProjects.set(projectId, true);
          else pausedProjects.delete(projectId);
          return true;
        }),
    }),
  ),
);
