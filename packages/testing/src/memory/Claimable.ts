import { Issue } from "@quartermaster/core";
import * as Graph from "./Graph.ts";
import * as Rows from "./Rows.ts";
import type { Tables } from "./Tables.ts";

/** The rule of `IssueStore.claimable`, implemented independently of core. */

export const isAgentPaused = ({ agents }: Tables, agentId: string | null): boolean =>
  agentId !== null && agents.get(agentId)?.paused === true;

export const isProjectPaused = ({ pausedProjects }: Tables, projectId: string): boolean =>
  pausedProjects.get(projectId) === true;

const claimOrder = (a: Issue.IssueRow, b: Issue.IssueRow): number => {
  const { literals } = Issue.IssuePriority;
  return (
    Number(b.resumed) - Number(a.resumed) ||
    literals.indexOf(a.priority) - literals.indexOf(b.priority) ||
    a.seq - b.seq
  );
};

/** The issues that the agent may claim, in claim order. */
export const of = (
  tables: Tables,
  agentId: string,
  projects: ReadonlyArray<string> | null,
  now: string,
): ReadonlyArray<Issue.IssueRow> => {
  const visible = Rows.among(projects);
  const blocked = Graph.blocked(tables);
  const live = Graph.liveRuns(tables, now);
  const awaiting = Graph.awaiting(tables, now);
  const callsUntil = Graph.callsUntil(tables);
  return Array.from(tables.issues.values())
    .filter(
      (issue) =>
        issue.assignedAgentId === agentId &&
        (issue.status === "Open" || issue.status === "InProgress") &&
        issue.pausedBecause === null &&
        (issue.notBefore === null || issue.notBefore <= now) &&
        !isAgentPaused(tables, agentId) &&
        !isProjectPaused(tables, issue.projectId) &&
        visible(issue.projectId) &&
        !blocked.has(issue.id) &&
        !live.has(issue.id) &&
        !awaiting.has(issue.id) &&
        (callsUntil.get(issue.id) ?? "") <= now,
    )
    .toSorted(claimOrder);
};
