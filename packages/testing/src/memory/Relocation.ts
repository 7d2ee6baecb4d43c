import type { Issue, Project } from "@quartermaster/core";
import type { Tables } from "./Tables.ts";

/** The key of a former number. Ids of projects have no spaces. */
const formerKey = (projectId: string, number: number): string => `${projectId} ${number}`;

/** The next number of a project. */
export const nextNumber = ({ issueNumbers }: Tables, projectId: string): number => {
  const number = (issueNumbers.get(projectId) ?? 0) + 1;
  issueNumbers.set(projectId, number);
  return number;
};

/** The issue that has or had the number in the project. */
export const ofNumber = (
  { formerNumbers, issues }: Tables,
  projectId: string | undefined,
  number: number,
): Issue.IssueRow | undefined =>
  projectId === undefined
    ? undefined
    : (Array.from(issues.values()).find(
        (issue) => issue.number === number && issue.projectId === projectId,
      ) ?? issues.get(formerNumbers.get(formerKey(projectId, number)) ?? ""));

/** Forgets the numbers that an issue had. */
export const removeOfIssue = ({ formerNumbers }: Tables, issueId: string): void => {
  for (const [key, id] of formerNumbers.entries()) {
    if (id === issueId) formerNumbers.delete(key);
  }
};

export const relocate = (
  tables: Tables,
  issue: Issue.IssueRow,
  { id: to, prefix }: Project.ProjectRow,
): Issue.IssueRow => {
  const { id, projectId: from } = issue;
  tables.formerNumbers.set(formerKey(from, issue.number), id);
  const former = Array.from(tables.formerNumbers.entries()).find(
    ([key, issueId]) => issueId === id && key.startsWith(`${to} `),
  );
  const number = former === undefined ? nextNumber(tables, to) : Number(former[0].split(" ")[1]);
  const key = `${prefix}-${number}`;
  const moved = { ...issue, projectId: to, number, key };
  tables.issues.set(id, moved);
  for (const link of tables.links.values()) {
    tables.links.set(link.id, {
      ...link,
      ...(link.sourceId === id ? { sourceProjectId: to } : {}),
      ...(link.targetId === id ? { targetProjectId: to } : {}),
    });
  }
  for (const question of tables.questions.values()) {
    if (question.issueId !== id) continue;
    tables.questions.set(question.id, { ...question, projectId: to, issueKey: key });
  }
  for (const run of tables.runs.values()) {
    if (run.issueId === id) tables.runs.set(run.id, { ...run, projectId: to, issueKey: key });
  }
  for (const entry of tables.activity.values()) {
    if (entry.relatedProjectId !== from || entry.data["targetIssueId"] !== id) continue;
    tables.activity.set(entry.id, { ...entry, relatedProjectId: to });
  }
  return moved;
};
