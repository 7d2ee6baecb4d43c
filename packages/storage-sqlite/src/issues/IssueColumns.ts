import { Issue } from "@quartermaster/core";
import type * as Batch from "../sql/Batch.ts";

/** The columns of an issue as a query answers them, in the order of `all`. */
export type IssueColumns = readonly [
  seq: number,
  id: string,
  projectId: string,
  title: string,
  description: string | null,
  status: Issue.IssueStatus,
  priority: number,
  assignedAgentId: string | null,
  assigneeUserId: string | null,
  goalId: string | null,
  paused: number,
  resumed: number,
  linkCount: number,
  version: number,
  createdByType: Issue.IssueRow["createdBy"]["type"],
  createdById: string,
  createdAt: string,
  updatedAt: string,
  startedAt: string | null,
  resolvedAt: string | null,
  closedAt: string | null,
];

const all = `seq id project_id title description status priority assigned_agent_id
  assignee_user_id goal_id paused resumed link_count version created_by_type created_by_id
  created_at updated_at started_at resolved_at closed_at`.split(/\s+/);

/** The columns of `issues`, or of the table that has its rows by that name, for `SELECT`. */
export const of = (table = "issues"): string => all.map((name) => `${table}.${name}`).join(", ");

/** Kept as a number, so that it sorts: 0 is urgent. */
export const priorityRank = (priority: Issue.IssuePriority): number =>
  Issue.IssuePriority.literals.indexOf(priority);

export const toRow = (columns: IssueColumns): Issue.IssueRow => ({
  seq: columns[0],
  id: columns[1],
  projectId: columns[2],
  title: columns[3],
  description: columns[4],
  status: columns[5],
  priority: Issue.IssuePriority.literals[columns[6]] ?? "normal",
  assignedAgentId: columns[7],
  assigneeUserId: columns[8],
  goalId: columns[9],
  paused: columns[10] === 1,
  resumed: columns[11] === 1,
  linkCount: columns[12],
  version: columns[13],
  createdBy: { type: columns[14], id: columns[15] },
  createdAt: columns[16],
  updatedAt: columns[17],
  startedAt: columns[18],
  resolvedAt: columns[19],
  closedAt: columns[20],
});

/** The columns of an issue's state, in the order of `state`. */
export type StateColumns = readonly [
  id: string,
  projectId: string,
  status: Issue.IssueStatus,
  paused: number,
  resumed: number,
  version: number,
  updatedAt: string,
  startedAt: string | null,
  resolvedAt: string | null,
  closedAt: string | null,
];

const state =
  "id project_id status paused resumed version updated_at started_at resolved_at closed_at".split(
    " ",
  );

/** Those of the table that has rows of `issues` by that name, for `SELECT`. */
export const ofState = (table: string): string =>
  state.map((name) => `${table}.${name}`).join(", ");

export const toState = (columns: StateColumns): Issue.IssueState => ({
  id: columns[0],
  projectId: columns[1],
  status: columns[2],
  paused: columns[3] === 1,
  resumed: columns[4] === 1,
  version: columns[5],
  updatedAt: columns[6],
  startedAt: columns[7],
  resolvedAt: columns[8],
  closedAt: columns[9],
});

/** Of what the lifecycle changes. */
export const lifecycleColumns = (issue: Omit<Issue.IssueState, "projectId">) =>
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

/** Without `id`. */
export const lifecycleNames = `status paused resumed version updated_at started_at resolved_at
  closed_at`.split(/\s+/);

/** Without `id`. */
export const contentNames = `priority assigned_agent_id assignee_user_id goal_id created_by_type
  created_by_id created_at title description`.split(/\s+/);

export const toColumns = (issue: Omit<Issue.IssueRow, "seq">) => ({
  ...lifecycleColumns(issue),
  ...contentColumns(issue),
  project_id: issue.projectId,
  link_count: issue.linkCount,
});
