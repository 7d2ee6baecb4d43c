import { Issue } from "@quartermaster/core";
import type * as Batch from "./Batch.ts";

/** The columns of an issue, and how they become its row. */
export interface IssueColumns {
  readonly seq: number;
  readonly id: string;
  readonly project_id: string;
  readonly status: Issue.IssueStatus;
  readonly priority: number;
  readonly assigned_agent_id: string | null;
  readonly assignee_user_id: string | null;
  readonly goal_id: string | null;
  readonly paused: number;
  readonly resumed: number;
  readonly link_count: number;
  readonly version: number;
  readonly created_by_type: Issue.IssueRow["createdBy"]["type"];
  readonly created_by_id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly started_at: string | null;
  readonly resolved_at: string | null;
  readonly closed_at: string | null;
  readonly title: string;
  readonly description: string | null;
}

/** Kept as a number, so that it sorts: 0 is urgent. */
export const priorityRank = (priority: Issue.IssuePriority): number =>
  Issue.IssuePriority.literals.indexOf(priority);

export const toRow = (columns: IssueColumns): Issue.IssueRow => ({
  seq: columns.seq,
  id: columns.id,
  projectId: columns.project_id,
  title: columns.title,
  description: columns.description,
  status: columns.status,
  priority: Issue.IssuePriority.literals[columns.priority] ?? "normal",
  assignedAgentId: columns.assigned_agent_id,
  assigneeUserId: columns.assignee_user_id,
  goalId: columns.goal_id,
  paused: columns.paused === 1,
  resumed: columns.resumed === 1,
  linkCount: columns.link_count,
  version: columns.version,
  createdBy: { type: columns.created_by_type, id: columns.created_by_id },
  createdAt: columns.created_at,
  updatedAt: columns.updated_at,
  startedAt: columns.started_at,
  resolvedAt: columns.resolved_at,
  closedAt: columns.closed_at,
});

/** Of what the lifecycle changes. */
export const lifecycleColumns = (issue: Omit<Issue.IssueRow, "seq">) =>
  ({
    id: issue.id,
    status: issue.status,
    paused: issue.paused,
    resumed: issue.resumed,
    version: issue.version,
    updated_at: issue.updatedAt,
    started_at: issue.startedAt,
    resolved_at: issue.resolvedAt,
    closed_at: issue.closedAt,
  }) satisfies Record<string, Batch.Cell>;

/** Of what changes rarely. */
export const contentColumns = (issue: Omit<Issue.IssueRow, "seq">) =>
  ({
    id: issue.id,
    priority: priorityRank(issue.priority),
    assigned_agent_id: issue.assignedAgentId,
    assignee_user_id: issue.assigneeUserId,
    goal_id: issue.goalId,
    created_by_type: issue.createdBy.type,
    created_by_id: issue.createdBy.id,
    created_at: issue.createdAt,
    title: issue.title,
    description: issue.description,
  }) satisfies Record<string, Batch.Cell>;

export const toColumns = (issue: Omit<Issue.IssueRow, "seq">) => ({
  ...lifecycleColumns(issue),
  ...contentColumns(issue),
  project_id: issue.projectId,
  link_count: issue.linkCount,
});
