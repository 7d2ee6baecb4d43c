import { Issue, type IssueStore } from "@quartermaster/core";
import { and, type Clause, clause, list, raw } from "../sql/Clause.ts";
import * as ClaimRule from "./ClaimRule.ts";
import * as IssueFacts from "./IssueFacts.ts";
import * as IssueTable from "./IssueTable.ts";

/** List filters as conditions on `issues`, for rows that an index has found. */

type Query = Omit<IssueStore.IssueQuery, "projectId">;

/** The name of a filter. Each label is its own filter. */
export type Name = keyof Query | `label ${string}`;

/** The distinct labels that a query asks for. */
export const labelsOf = (query: Query): ReadonlyArray<string> => [...new Set(query.label)];

/** The statuses that a query asks for; undefined if it allows all. */
export const statusesOf = ({ status }: Query): ReadonlyArray<Issue.IssueStatus> | undefined => {
  if (status === undefined) return undefined;
  const distinct = Issue.IssueStatus.literals.filter((literal) => status.includes(literal));
  return distinct.length === Issue.IssueStatus.literals.length ? undefined : distinct;
};

const ready = ({ is, now }: NonNullable<Query["ready"]>): Clause => clause`${raw(is ? "" : "NOT")} (
  issues.assigned_agent_id IS NOT NULL
  AND NOT ${raw(IssueFacts.agentPaused("issues.assigned_agent_id"))}
  AND ${{ text: ClaimRule.free, params: ClaimRule.params(now) }})`;

const hasLabel = (label: string): Clause => clause`EXISTS (
  SELECT 1 FROM issue_labels l WHERE l.project_id = issues.project_id AND l.label = ${label}
    AND l.seq = issues.seq)`;

/** The conditions by name. The unary plus prevents SQLite's planner from using other indexes. */
export const of = (query: Query): ReadonlyMap<Name, Clause> => {
  const conditions = new Map<Name, Clause>();
  const { agentId, assigneeId, externalRef, goalId, paused, priority, updatedSince } = query;
  if (externalRef !== undefined) {
    conditions.set("externalRef", clause`+issues.external_ref = ${externalRef}`);
  }
  for (const label of labelsOf(query)) conditions.set(`label ${label}`, hasLabel(label));
  if (paused !== undefined) {
    conditions.set("paused", raw(`+issues.paused_because IS ${paused ? "NOT NULL" : "NULL"}`));
  }
  if (query.ready !== undefined) conditions.set("ready", ready(query.ready));
  if (agentId !== undefined) {
    conditions.set("agentId", clause`+issues.assigned_agent_id = ${agentId}`);
  }
  if (assigneeId !== undefined) {
    conditions.set(
      "assigneeId",
      clause`(+issues.assigned_agent_id = ${assigneeId} OR +issues.assignee_user_id = ${assigneeId})`,
    );
  }
  if (goalId !== undefined) conditions.set("goalId", clause`+issues.goal_id = ${goalId}`);
  const statuses = statusesOf(query);
  if (statuses !== undefined) {
    conditions.set("status", clause`+issues.status IN ${list(statuses)}`);
  }
  if (priority !== undefined) {
    const rank = IssueTable.priorityRank(priority);
    conditions.set("priority", clause`+issues.priority = ${rank}`);
  }
  if (updatedSince !== undefined) {
    conditions.set("updatedSince", clause`+issues.updated_at >= ${updatedSince}`);
  }
  return conditions;
};

/** All conditions except the named ones. */
export const but = (conditions: ReadonlyMap<Name, Clause>, names: ReadonlyArray<Name>): Clause =>
  and([...conditions].filter(([name]) => !names.includes(name)).map(([, condition]) => condition));
