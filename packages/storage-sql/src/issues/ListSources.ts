import type { IssueStore, IssueFilter } from "@quartermaster/core";
import type { SqlClient } from "effect/sql";
import { type Clause, clause, list, raw } from "../sql/Clause.ts";
import * as Dialect from "../sql/Dialect.ts";
import * as ListFilters from "./ListFilters.ts";

/** The indexes that a list may read. */

type Sql = SqlClient.SqlClient;
type Sort = IssueFilter.IssueSort;

/** A range of an index. */
export interface Range {
  /** The table with the columns of the order. */
  readonly table: "issues" | "issue_labels";
  /** The text after `FROM`: the table, with the index for the order. */
  readonly from: (sort: Sort) => Clause;
  readonly where: Clause;
  /** The column that its index has in order, for ranges that no order of a list has. */
  readonly by?: string;
}

/** The matches of one filter, as ranges of an index. */
export interface Source {
  /** The filters that all of its issues match. */
  readonly covers: ReadonlyArray<ListFilters.Name>;
  /** An issue is in at most one range, unless the source supports no order. */
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
  covers: [],
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
      covers: ["externalRef"],
      ranges: [issuesBy("issues_external_ref", where)],
      sorts: [],
    });
  }
  if (agentId !== undefined) {
    const where = clause`issues.assigned_agent_id = ${agentId}`;
    sources.push({
      covers: ["agentId"],
      ranges: [issuesBy("issues_of_agent", where)],
      sorts: ["created"],
    });
  }
  return sources;
};

const assigned = (column: "assigned_agent_id" | "assignee_user_id", id: string): Clause =>
  clause`issues.${raw(column)} = ${id}`;

type InProject = (condition: Clause) => Clause;

/** The issues that have one thing. */
const having = (
  sql: Sql,
  { now, projectId }: { readonly now: string; readonly projectId: string },
  where: InProject,
): Readonly<Record<IssueFilter.IssueHas, ReadonlyArray<Range>>> => {
  const asked = clause`SELECT q.issue_id FROM questions q INDEXED BY questions_inbox_project
    WHERE q.project_id = ${projectId} AND ${ListFilters.isOpen("q", now)}`;
  return {
    question: [
      {
        table: "issues",
        from: () => raw("issues"),
        where: clause`+issues.project_id = ${projectId}
          AND issues.id ${Dialect.amongRows(sql, asked)}`,
      },
    ],
    files: [issuesBy("issues_files", where(raw("issues.files > 0")))],
    failure: ["failed", "tooManyAttempts"].map((because) => ({
      ...issuesBy("issues_paused_project", where(clause`issues.paused_because = ${because}`)),
      by: "issues.priority",
    })),
  };
};

/** The issues of the agents that sent no heartbeat since a time. */
const ofSilent = (sql: Sql, since: string, where: InProject): ReadonlyArray<Range> =>
  [raw("last_heartbeat_at IS NULL"), clause`last_heartbeat_at < ${since}`].map((isSilent) => {
    const silent = clause`SELECT id FROM agents INDEXED BY agents_heartbeat WHERE ${isSilent}`;
    return issuesBy(
      "issues_agent",
      where(clause`issues.assigned_agent_id ${Dialect.amongRows(sql, silent)}`),
    );
  });

/** A range for each label. An issue with several of the labels is in the range of the first one. */
const labeled = (projectId: string, labels: ReadonlyArray<string>): ReadonlyArray<Range> =>
  labels.map((label, index) => ({
    table: "issue_labels",
    from: () => raw("issue_labels"),
    where: clause`issue_labels.project_id = ${projectId} AND issue_labels.label = ${label}
      ${
        index === 0
          ? raw("")
          : clause`AND NOT EXISTS (SELECT 1 FROM issue_labels l
              WHERE l.project_id = ${projectId} AND l.label IN ${list(labels.slice(0, index))}
              AND l.seq = issue_labels.seq /* OFFSET 0 */)`
      }`,
  }));

/** The sources of a query in a project. The usually most selective sources come first. */
export const of = (sql: Sql, query: IssueStore.IssueQuery): ReadonlyArray<Source> => {
  const { agentId, assigneeId, createdAfter, externalRef, goalId, has, projectId } = query;
  const where: InProject = (condition) => clause`issues.project_id = ${projectId} AND ${condition}`;
  const sources: Array<Source> = [];
  const add = (
    name: ListFilters.Name,
    ranges: ReadonlyArray<Range>,
    sorts: ReadonlyArray<Sort> = all,
  ) => sources.push({ covers: [name], ranges, sorts });
  if (externalRef !== undefined) {
    const condition = where(clause`issues.external_ref = ${externalRef}`);
    add("externalRef", [issuesBy("issues_external_ref", condition)], []);
  }
  if (has !== undefined) {
    const ranges = having(sql, { now: has.now, projectId }, where);
    const isFiles = has.any.every((kind) => kind === "files");
    add(
      "has",
      has.any.flatMap((kind) => ranges[kind]),
      isFiles ? ["created"] : [],
    );
  }
  for (const labels of ListFilters.labelsOf(query)) {
    add(ListFilters.nameOf(labels), labeled(projectId, labels));
  }
  const isFailure = has?.any.every((kind) => kind === "failure") === true;
  if (query.paused === true || isFailure) {
    const range = issuesIn(
      indexes("issues_paused"),
      where(raw("issues.paused_because IS NOT NULL")),
    );
    sources.push({ covers: isFailure ? [] : ["paused"], ranges: [range], sorts: all });
  }
  if (query.ready?.is === true) {
    const mayBe = raw(`issues.assigned_agent_id IS NOT NULL
      AND issues.status IN ('Open', 'InProgress') AND issues.paused_because IS NULL`);
    const range = issuesIn(indexes("issues_ready"), where(mayBe));
    sources.push({ covers: [], ranges: [range], sorts: all });
  }
  if (query.silentAgent?.is === true) {
    add("silentAgent", ofSilent(sql, query.silentAgent.since, where), []);
  }
  const byAgent = (id: string) =>
    issuesBy("issues_agent", where(assigned("assigned_agent_id", id)));
  if (agentId !== undefined) add("agentId", [byAgent(agentId)], ["created"]);
  if (assigneeId !== undefined) {
    const byUser = (id: string) => {
      const onlyUser = clause`${assigned("assignee_user_id", id)}
        AND ${ListFilters.isNone("+issues.assigned_agent_id", assigneeId)}`;
      return issuesBy("issues_user", where(onlyUser));
    };
    add("assigneeId", [...assigneeId.map(byAgent), ...assigneeId.map(byUser)], ["created"]);
  }
  if (goalId !== undefined) {
    const ofGoal = (id: string) => issuesBy("issues_goal", where(clause`issues.goal_id = ${id}`));
    add("goalId", goalId.map(ofGoal), ["created"]);
  }
  const byStatus = { ...indexes("issues_status"), created: "issues_status" };
  const statuses = ListFilters.statusesOf(query);
  if (statuses !== undefined) {
    add(
      "status",
      statuses.map((status) => issuesIn(byStatus, where(clause`issues.status = ${status}`))),
    );
  }
  const priorities = ListFilters.prioritiesOf(query);
  if (priorities !== undefined) {
    const ofRank = (rank: number) =>
      issuesBy("issues_priority", where(clause`issues.priority = ${rank}`));
    add("priority", priorities.map(ofRank), ["created", "priority"]);
  }
  const updated = ListFilters.updated(query, "issues.updated_at");
  if (updated !== undefined)
    add("updated", [issuesBy("issues_updated", where(updated))], ["updated"]);
  if (createdAfter !== undefined) {
    const range = issuesBy("issues_created", where(clause`issues.created_at > ${createdAfter}`));
    add("createdAfter", [{ ...range, by: "issues.created_at" }], []);
  }
  return sources;
};
