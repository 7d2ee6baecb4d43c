import { Issue, type Project, ProjectStore } from "@quartermaster/core";
import { Effect, Layer, Option } from "effect";
import { Database } from "./Database.ts";
import * as Rows from "./Rows.ts";
import type { Tables } from "./Tables.ts";

const summary = (
  tables: Tables,
  { id, ...project }: Project.ProjectRow,
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
    ...project,
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
      get: (projectId) =>
        database.read(({ projects }) => Option.fromNullishOr(projects.get(projectId))),
      hold: (projectId) =>
        database.read(({ projects }) => Option.fromNullishOr(projects.get(projectId))),
      remove: (projectId) =>
        database.write(({ agentsMay, pausedProjects, projects, savedViews }) => {
          projects.delete(projectId);
          pausedProjects.delete(projectId);
          agentsMay.delete(projectId);
          for (const view of savedViews.values()) {
            if (view.projectId === projectId) savedViews.delete(view.id);
          }
        }),
      put: (project) =>
        database.write(({ issues, prefixes, projects, questions, runs }) => {
          const { id, prefix } = project;
          projects.set(id, project);
          if (prefixes.get(prefix) === undefined) prefixes.set(prefix, id);
          for (const issue of issues.values()) {
            if (issue.projectId !== id) continue;
            const key = `${prefix}-${issue.number}`;
            issues.set(issue.id, { ...issue, key });
            for (const question of questions.values()) {
              if (question.issueId !== issue.id) continue;
              questions.set(question.id, { ...question, issueKey: key });
            }
            for (const run of runs.values()) {
              if (run.issueId === issue.id) runs.set(run.id, { ...run, issueKey: key });
            }
          }
        }),
      ownerOf: (prefix) =>
        database.read(({ prefixes }) => Option.fromNullishOr(prefixes.get(prefix))),
      countPrefixes: (projectId) =>
        database.read(
          ({ prefixes }) =>
            Array.from(prefixes.values()).filter((owner) => owner === projectId).length,
        ),
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
          return Array.from(tables.projects.values())
            .filter(({ id }) => visible(id) && isBeyond(id))
            .toSorted((a, b) => (a.id < b.id ? -sign : sign))
            .slice(0, limit)
            .map((project) => summary(tables, project, visible));
        });
      },
    }),
  ),
);
