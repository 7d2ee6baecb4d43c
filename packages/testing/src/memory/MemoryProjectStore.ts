import { Issue, type Project, ProjectStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { Database } from "./Database.ts";
import * as Rows from "./Rows.ts";
import type { Tables } from "./Tables.ts";

const summary = (
  tables: Tables,
  id: string,
  isVisible: (projectId: string) => boolean,
): Project.ProjectSummary => {
  const issues = Array.from(tables.issues.values()).filter(({ projectId }) => projectId === id);
  const events = Array.from(tables.events.values()).filter(
    ({ projectId, relatedProjectId }) =>
      projectId === id && (relatedProjectId === null || isVisible(relatedProjectId)),
  );
  const times = [
    ...issues.map(({ updatedAt }) => updatedAt),
    ...events.map(({ createdAt }) => createdAt),
  ];
  return {
    id,
    counts: Issue.countsOf((status) => issues.filter((issue) => issue.status === status).length),
    paused: tables.pausedProjects.get(id) === true,
    agentsMay: tables.agentsMay.get(id) ?? "resolve",
    lastActivityAt: times.toSorted().at(-1) ?? null,
  };
};

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
      agentsMay: (projectId) =>
        database.read(({ agentsMay }) => agentsMay.get(projectId) ?? "resolve"),
      setAgentsMay: (projectId, value) =>
        database.write(({ agentsMay }) => {
          if (value === "resolve") agentsMay.delete(projectId);
          else agentsMay.set(projectId, value);
        }),
      list: (projects, { after, limit, order }) => {
        const visible = Rows.among(projects);
        const sign = order === "asc" ? 1 : -1;
        const isBeyond = (id: string) =>
          after === null || (order === "asc" ? id > after : id < after);
        return database.read((tables) => {
          const ids = new Set([
            ...Array.from(tables.issues.values(), ({ projectId }) => projectId),
            ...Array.from(tables.pausedProjects.entries(), ([id]) => id),
            ...Array.from(tables.agentsMay.entries(), ([id]) => id),
          ]);
          return Array.from(ids)
            .filter((id) => visible(id) && isBeyond(id))
            .toSorted((a, b) => (a < b ? -sign : sign))
            .slice(0, limit)
            .map((id) => summary(tables, id, visible));
        });
      },
    }),
  ),
);
