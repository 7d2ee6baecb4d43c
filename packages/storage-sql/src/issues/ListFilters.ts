import { Issue, type IssueFilter, type IssueStore } from "@quartermaster/core";
import { and, type Clause, clause, list, numbers, or, raw } from "../sql/Clause.ts";
import * as ClaimRule from "./ClaimRule.ts";
import * as IssueFacts from "./IssueFacts.ts";
import * as IssueTable from "./IssueTable.ts";

/** List filters as conditions on `issues`, for rows that an index has found. */

type Query = Omit<IssueStore.IssueQuery, "projectId">;

/** The name of a filter. Each list of labels is its own filter. */
export type Name = keyof Query | "updated" | `label ${string}`;

/** The distinct lists of labels of which an issue needs one each. */
export const labelsOf = ({ label = [] }: Query): ReadonlyArray<ReadonlyArray<string>> => [
  ...new Map(label.map((labels) => [JSON.stringify(labels), labels])).values(),
];

export const nameOf = (labels: ReadonlyArray<string>): Name => `label ${JSON.stringify(labels)}`;

const allowed = <A>(
  all: ReadonlyArray<A>,
  only: ReadonlyArray<A> = all,
  not: ReadonlyArray<A> = [],
): ReadonlyArray<A> | undefined => {
  const values = all.filter((value) => only.includes(value) && !not.includes(value));
  return values.length === all.length ? undefined : values;
};

/** The statuses that a query allows; undefined if it allows all. */
export const statusesOf = (query: Query): ReadonlyArray<Issue.IssueStatus> | undefined =>
  allowed(Issue.IssueStatus.literals, query.status, query["not.status"]);

/** The priorities that a query allows, as ranks; undefined if it allows all. */
export const prioritiesOf = (query: Query): ReadonlyArray<number> | undefined =>
  allowed(Issue.IssuePriority.literals, query.priority, query["not.priority"])?.map(
    IssueTable.priorityRank,
  );

/** Whether no issue can match, because a list has no value. */
export const isNothing = (query: Query): boolean =>
  [
    statusesOf(query),
    prioritiesOf(query),
    query.assigneeId,
    query.goalId,
    query.has?.any,
    ...(query.label ?? []),
  ].some((values) => values?.length === 0);

const ready = ({ is, now }: NonNullable<Query["ready"]>): Clause => clause`${raw(is ? "" : "NOT")} (
  issues.assigned_agent_id IS NOT NULL
  AND NOT ${raw(IssueFacts.agentPaused("issues.assigned_agent_id"))}
  AND ${{ text: ClaimRule.free, params: ClaimRule.params(now) }})`;

/** One of the labels. For a list, PostgreSQL before version 17 reads all labels of the project. */
const hasLabel = (labels: ReadonlyArray<string>): Clause =>
  or(
    labels.map(
      (label) => clause`EXISTS (SELECT 1 FROM issue_labels l
        WHERE l.project_id = issues.project_id AND l.label = ${label}
          AND l.seq = issues.seq /* OFFSET 0 */)`,
    ),
  );

/** The condition that the last heartbeat of an agent is too old. */
export const isSilent = (agent: string, since: string): Clause =>
  clause`(${raw(agent)}.last_heartbeat_at IS NULL OR ${raw(agent)}.last_heartbeat_at < ${since})`;

const silentAgent = ({ is, since }: NonNullable<Query["silentAgent"]>): Clause =>
  clause`${raw(is ? "" : "NOT")} EXISTS (SELECT 1 FROM agents a
    WHERE a.id = issues.assigned_agent_id AND ${isSilent("a", since)} /* OFFSET 0 */)`;

/** The condition that a question is open. */
export const isOpen = (question: string, now: string): Clause =>
  clause`${raw(question)}.status = 'open'
    AND (${raw(question)}.expires_at IS NULL OR ${raw(question)}.expires_at > ${now})`;

const has = ({ any, now }: IssueStore.HasQuery): Clause => {
  const conditions: Readonly<Record<IssueFilter.IssueHas, Clause>> = {
    question: clause`EXISTS (SELECT 1 FROM questions q
      WHERE q.issue_id = issues.id AND ${isOpen("q", now)} /* OFFSET 0 */)`,
    files: raw("+issues.files > 0"),
    failure: raw("coalesce(+issues.paused_because, '') IN ('failed', 'tooManyAttempts')"),
  };
  return any
    .map((kind) => conditions[kind])
    .reduce((one, other) => clause`${one} OR ${other}`, raw("1 = 0"));
};

const isAssigned = (ids: ReadonlyArray<string>): Clause =>
  clause`(+issues.assigned_agent_id IN ${list(ids)} OR +issues.assignee_user_id IN ${list(ids)})`;

/** The condition that a column has none of the values. */
export const isNone = (column: string, values: ReadonlyArray<string>): Clause =>
  clause`(${raw(column)} IS NULL OR ${raw(column)} NOT IN ${list(values)})`;

/** The range of `updatedSince` and `updatedBefore` in a table; undefined if every time is in it. */
export const updated = (
  { updatedBefore, updatedSince }: Query,
  column: string,
): Clause | undefined => {
  const ends = [
    ...(updatedSince === undefined ? [] : [clause`${raw(column)} >= ${updatedSince}`]),
    ...(updatedBefore === undefined ? [] : [clause`${raw(column)} < ${updatedBefore}`]),
  ];
  return ends.length === 0 ? undefined : and(ends);
};

/** The conditions by name. The unary plus prevents SQLite's planner from using other indexes. */
export const of = (query: Query): ReadonlyMap<Name, Clause> => {
  const conditions = new Map<Name, Clause>();
  const add = <A>(name: Name, value: A | undefined, condition: (value: A) => Clause) => {
    if (value !== undefined) conditions.set(name, condition(value));
  };
  const exclude = (
    name: Name & keyof Query,
    condition: (values: ReadonlyArray<string>) => Clause,
  ) => {
    const values = query[name] as ReadonlyArray<string> | undefined;
    if (values !== undefined && values.length > 0) conditions.set(name, condition(values));
  };
  add("externalRef", query.externalRef, (ref) => clause`+issues.external_ref = ${ref}`);
  add("has", query.has, has);
  for (const labels of labelsOf(query)) conditions.set(nameOf(labels), hasLabel(labels));
  add("paused", query.paused, (is) => raw(`+issues.paused_because IS ${is ? "NOT NULL" : "NULL"}`));
  add("ready", query.ready, ready);
  add("silentAgent", query.silentAgent, silentAgent);
  add("agentId", query.agentId, (id) => clause`+issues.assigned_agent_id = ${id}`);
  add("assigneeId", query.assigneeId, isAssigned);
  add("goalId", query.goalId, (ids) => clause`+issues.goal_id IN ${list(ids)}`);
  add("status", statusesOf(query), (statuses) => clause`+issues.status IN ${list(statuses)}`);
  add("priority", prioritiesOf(query), (ranks) => clause`+issues.priority IN ${numbers(ranks)}`);
  add("updated", updated(query, "+issues.updated_at"), (condition) => condition);
  add("createdAfter", query.createdAfter, (time) => clause`+issues.created_at > ${time}`);
  exclude(
    "not.assigneeId",
    (ids) => clause`${isNone("+issues.assigned_agent_id", ids)}
      AND ${isNone("+issues.assignee_user_id", ids)}`,
  );
  exclude("not.goalId", (ids) => isNone("+issues.goal_id", ids));
  exclude("not.label", (labels) => clause`NOT (${hasLabel(labels)})`);
  add("not.has", query["not.has"], (none) => clause`NOT (${has(none)})`);
  return conditions;
};

/** All conditions except the named ones. */
export const but = (conditions: ReadonlyMap<Name, Clause>, names: ReadonlyArray<Name>): Clause =>
  and([...conditions].filter(([name]) => !names.includes(name)).map(([, condition]) => condition));
