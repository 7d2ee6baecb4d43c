import type { IssueStore, IssueFilter } from "@quartermaster/core";
import { type Clause, clause, raw } from "../sql/Clause.ts";
import * as IssueTable from "./IssueTable.ts";
import * as ListFilters from "./ListFilters.ts";

/** The indexes that a list may read. */

type Sort = IssueFilter.IssueSort;

/** A range of an index. */
export interface Range {
  /** The table with the columns of the order. */
  readonly table: "issues" | "issue_labels";
  /** The text after `FROM`: the table, with the index for the order. */
  readonly from: (sort: Sort) => Clause;
  readonly where: Clause;
}

/** The matches of one filter, as ranges of an index that contain no other issues. */
export interface Source {
  readonly name: ListFilters.Name | "project";
  readonly ranges: ReadonlyArray<Range>;
  /** The orders that its index supports. */
  readonly sorts: ReadonlyArray<Sort>;
}

const all = ["created", "updated", "priority"] as const;

const issuesBy = (index: string, where: Clause): Range => ({
  table: "issues",
  from: () => raw(`issues INDEXED BY ${index}`),
  where,
});

/** A range of the index that belongs to the order. */
const issuesIn = (indexes: Readonly<Record<Sort, string>>, where: Clause): Range => ({
  table: "issues",
  from: (sort) => raw(`issues INDEXED BY ${indexes[sort]}`),
  where,
});

const indexes = (prefix: string) => ({
  created: `${prefix}_created`,
  updated: `${prefix}_updated`,
  priority: `${prefix}_priority`,
});

/** All issues of the project. */
export const project = (projectId: string): Source => ({
  name: "project",
  ranges: [
    issuesIn(
      { created: "issues_project", updated: "issues_updated", priority: "issues_priority" },
      clause`issues.project_id = ${projectId}`,
    ),
  ],
  sorts: all,
});

/** The sources of a query over projects: the assigned agent and the external reference. */
export const across = ({
  agentId,
  externalRef,
}: Omit<IssueStore.IssueQuery, "projectId">): ReadonlyArray<Source> => {
  const sources: Array<Source> = [];
  if (externalRef !== undefined) {
    const where = clause`issues.external_ref = ${externalRef}`;
    sources.push({
      name: "externalRef",
      ranges: [issuesBy("issues_external_ref", where)],
      sorts: [],
    });
  }
  if (agentId !== undefined) {
    const where = clause`issues.assigned_agent_id = ${agentId}`;
    sources.push({
      name: "agentId",
      ranges: [issuesBy("issues_of_agent", where)],
      sorts: ["created"],
    });
  }
  return sources;
};

const assigned = (column: "assigned_agent_id" | "assignee_user_id", id: string): Clause =>
  clause`issues.${raw(column)} = ${id}`;

/** The sources of a query in a project. The usually most selective sources come first. */
export const of = (query: IssueStore.IssueQuery): ReadonlyArray<Source> => {
  const { agentId, assigneeId, externalRef, goalId, priority, projectId, updatedSince } = query;
  const where = (condition: Clause) => clause`issues.project_id = ${projectId} AND ${condition}`;
  const sources: Array<Source> = [];
  const add = (
    name: Source["name"],
    ranges: ReadonlyArray<Range>,
    sorts: ReadonlyArray<Sort> = all,
  ) => sources.push({ name, ranges, sorts });
  if (externalRef !== undefined) {
    const condition = where(clause`issues.external_ref = ${externalRef}`);
    add("externalRef", [issuesBy("issues_external_ref", condition)], []);
  }
  for (const label of ListFilters.labelsOf(query)) {
    const condition = clause`issue_labels.project_id = ${projectId} AND issue_labels.label = ${label}`;
    const from = () => raw("issue_labels");
    add(`label ${label}`, [{ table: "issue_labels", from, where: condition }]);
  }
  if (query.paused === true) {
    const condition = where(raw("issues.paused_because IS NOT NULL"));
    add("paused", [issuesIn(indexes("issues_paused"), condition)]);
  }
  if (query.ready?.is === true) {
    const mayBe = raw(`issues.assigned_agent_id IS NOT NULL
      AND issues.status IN ('Open', 'InProgress') AND issues.paused_because IS NULL`);
    add("ready", [issuesIn(indexes("issues_ready"), where(mayBe))]);
  }
  const byAgent = (id: string) =>
    issuesBy("issues_agent", where(assigned("assigned_agent_id", id)));
  if (agentId !== undefined) add("agentId", [byAgent(agentId)], ["created"]);
  if (assigneeId !== undefined) {
    const onlyUser = clause`${assigned("assignee_user_id", assigneeId)}
      AND +issues.assigned_agent_id IS NOT ${assigneeId}`;
    const byUser = issuesBy("issues_user", where(onlyUser));
    add("assigneeId", [byAgent(assigneeId), byUser], ["created"]);
  }
  if (goalId !== undefined) {
    const condition = where(clause`issues.goal_id = ${goalId}`);
    add("goalId", [issuesBy("issues_goal", condition)], ["created"]);
  }
  const byStatus = { ...indexes("issues_status"), created: "issues_status" };
  const statuses = ListFilters.statusesOf(query);
  if (statuses !== undefined) {
    add(
      "status",
      statuses.map((status) => issuesIn(byStatus, where(clause`issues.status = ${status}`))),
    );
  }
  if (priority !== undefined) {
    const condition = where(clause`issues.priority = ${IssueTable.priorityRank(priority)}`);
    add("priority", [issuesBy("issues_priority", condition)], ["created", "priority"]);
  }
  if (updatedSince !== undefined) {
    const condition = where(clause`issues.updated_at >= ${updatedSince}`);
    add("updatedSince", [issuesBy("issues_updated", condition)], ["updated"]);
  }
  return sources;
};
