import { Issue } from "@quartermaster/core";
import * as KeyText from "../sql/KeyText.ts";
import * as Table from "../sql/Table.ts";

export const { literals: priorities } = Issue.IssuePriority;

/** The stored rank of a priority, by which issues sort: 0 is urgent. */
export const priorityRank = (priority: Issue.IssuePriority): number => priorities.indexOf(priority);

const layoutOfState: Table.Layout<Issue.IssueState> = (cells, row) => ({
  id: cells.plain("id", row.id),
  projectId: cells.plain("project_id", row.projectId),
  key: cells.derived(null, KeyText.of, row.key),
  status: cells.plain("status", row.status),
  pausedBecause: cells.plain("paused_because", row.pausedBecause),
  attempts: cells.plain("attempts", row.attempts),
  notBefore: cells.plain("not_before", row.notBefore),
  resumed: cells.boolean("resumed", row.resumed),
  version: cells.plain("version", row.version),
  updatedAt: cells.plain("updated_at", row.updatedAt),
  startedAt: cells.plain("started_at", row.startedAt),
  resolvedAt: cells.plain("resolved_at", row.resolvedAt),
  closedAt: cells.plain("closed_at", row.closedAt),
});

/** The columns of `Issue.IssueState`, without the content that people write. */
export const state = Table.make("issues", layoutOfState);

export const table = Table.make<Issue.IssueRow>("issues", (cells, row) => ({
  ...layoutOfState(cells, row),
  seq: cells.plain("seq", row.seq),
  number: cells.plain("number", row.number),
  title: cells.plain("title", row.title),
  description: cells.plain("description", row.description),
  priority: cells.ranked("priority", row.priority, priorities),
  assignedAgentId: cells.plain("assigned_agent_id", row.assignedAgentId),
  assigneeUserId: cells.plain("assignee_user_id", row.assigneeUserId),
  goalId: cells.plain("goal_id", row.goalId),
  labels: cells.json("labels", row.labels),
  metadata: cells.json("metadata", row.metadata),
  externalRef: cells.plain("external_ref", row.externalRef),
  linkCount: cells.plain("link_count", row.linkCount),
  createdBy: cells.actor("created_by", row.createdBy),
  createdAt: cells.plain("created_at", row.createdAt),
}));

/** The columns that the lifecycle changes. */
export const lifecycle = Table.part(
  state,
  state.columns.filter((column) => column !== "id" && column !== "project_id"),
);

/** The columns that people write, which rarely change. `link_count` changes only with links. */
export const content = Table.part(
  table,
  table.columns.filter(
    (column) =>
      !state.columns.includes(column) && !["seq", "number", "link_count"].includes(column),
  ),
);

const closed = Issue.IssueStatus.literals.filter((status) => !Issue.isOpen(status));

/** The condition that an issue, a row of `table`, is neither resolved nor closed. */
export const isOpen = (table: string): string =>
  `${table}.status NOT IN (${closed.map((status) => `'${status}'`).join(", ")})`;
