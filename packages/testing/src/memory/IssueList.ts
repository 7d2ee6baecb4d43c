import {
  type Issue,
  IssueOrder,
  type IssueStore,
  Matching,
  type Page,
  Question,
} from "@quartermaster/core";
import * as Claimable from "./Claimable.ts";
import * as Rows from "./Rows.ts";
import type { Tables } from "./Tables.ts";

const is = <A>(wanted: A | undefined, ...values: ReadonlyArray<A | null>): boolean =>
  wanted === undefined || values.includes(wanted);

type Filters = Omit<IssueStore.IssueQuery, "projectId" | "sort">;

/** Whether a claim by its agent would start the issue. */
const isReady = (tables: Tables, now: string, { assignedAgentId, id }: Issue.IssueRow) =>
  assignedAgentId !== null &&
  Claimable.of(tables, assignedAgentId, null, now).some((issue) => issue.id === id);

/** Whether the agent exists and sent no heartbeat since the time. */
const isSilent = ({ agents }: Tables, since: string, agentId: string | null): boolean => {
  const agent = agentId === null ? undefined : agents.get(agentId);
  return agent !== undefined && (agent.lastHeartbeatAt === null || agent.lastHeartbeatAt < since);
};

const some = <Row>(rows: Iterable<Row>, passes: (row: Row) => boolean): boolean => {
  for (const row of rows) if (passes(row)) return true;
  return false;
};

const hasOne = (tables: Tables, query: IssueStore.HasQuery, issue: Issue.IssueRow): boolean =>
  query.any.some((kind) => {
    switch (kind) {
      case "question":
        return some(
          tables.questions.values(),
          (row) =>
            row.issueId === issue.id && row.status === "open" && !Question.isDue(row, query.now),
        );
      case "files":
        return some(tables.attachments.values(), ({ issueId }) => issueId === issue.id);
      case "failure":
        return issue.pausedBecause === "failed" || issue.pausedBecause === "tooManyAttempts";
    }
  });

/** Whether one of the values is wanted. */
const isOne = <A>(wanted: ReadonlyArray<A>, ...values: ReadonlyArray<A | null>): boolean =>
  values.some((value) => value !== null && wanted.includes(value));

const matches = (tables: Tables, query: Filters, issue: Issue.IssueRow): boolean => {
  const { assignedAgentId, assigneeUserId, createdAt, goalId, labels, priority, status } = issue;
  const passes = <A>(
    only: ReadonlyArray<A> | undefined,
    not: ReadonlyArray<A> | undefined,
    ...values: ReadonlyArray<A | null>
  ) => (only === undefined || isOne(only, ...values)) && !isOne(not ?? [], ...values);
  return (
    passes(query.status, query["not.status"], status) &&
    passes(query.priority, query["not.priority"], priority) &&
    passes(query.assigneeId, query["not.assigneeId"], assignedAgentId, assigneeUserId) &&
    passes(query.goalId, query["not.goalId"], goalId) &&
    (query.label ?? []).every((wanted) => isOne(wanted, ...labels)) &&
    !isOne(query["not.label"] ?? [], ...labels) &&
    (query.has === undefined || hasOne(tables, query.has, issue)) &&
    (query["not.has"] === undefined || !hasOne(tables, query["not.has"], issue)) &&
    is(query.agentId, assignedAgentId) &&
    is(query.externalRef, issue.externalRef) &&
    is(query.paused, issue.pausedBecause !== null) &&
    (query.ready === undefined || isReady(tables, query.ready.now, issue) === query.ready.is) &&
    (query.silentAgent === undefined ||
      isSilent(tables, query.silentAgent.since, assignedAgentId) === query.silentAgent.is) &&
    (query.updatedSince === undefined || issue.updatedAt >= query.updatedSince) &&
    (query.updatedBefore === undefined || issue.updatedAt < query.updatedBefore) &&
    (query.createdAfter === undefined || createdAt > query.createdAfter)
  );
};

/** A slice of the issues of some projects; null for all projects. */
export const read = (
  tables: Tables,
  { projects, ...query }: IssueStore.AcrossQuery,
  { after, limit, order }: Page.Slice<IssueOrder.IssueKey>,
): ReadonlyArray<Issue.IssueRow> => {
  const visible = Rows.among(projects);
  const compare = IssueOrder.compare(query.sort ?? "created");
  const sign = order === "asc" ? 1 : -1;
  return Array.from(tables.issues.values())
    .filter(
      (issue) =>
        visible(issue.projectId) &&
        (after === null || compare(issue, after) * sign > 0) &&
        matches(tables, query, issue),
    )
    .toSorted((a, b) => compare(a, b) * sign)
    .slice(0, limit);
};

/** The texts of an issue that a search covers. */
export const texts = (tables: Tables, issue: Issue.IssueRow): Matching.Texts => {
  const ofIssue = <Row extends { readonly issueId: string }>(rows: Iterable<Row>) =>
    [...rows].filter(({ issueId }) => issueId === issue.id);
  return {
    title: [issue.title],
    labels: issue.labels,
    description: issue.description === null ? [] : [issue.description],
    files: ofIssue(tables.attachments.values()).map(({ fileName }) => fileName),
    comments: ofIssue(tables.comments.values()).map(({ content }) => content),
    key: Matching.keyOf(
      issue.number,
      [...tables.prefixes.entries()].flatMap(([prefix, id]) =>
        id === issue.projectId ? [prefix] : [],
      ),
    ),
  };
};

/** A slice of the issues that have all words. */
export const search = (
  tables: Tables,
  { issueId, keyStart, projects, sort, words, ...query }: IssueStore.SearchQuery,
  { after, limit, order }: Page.Slice<IssueOrder.SearchKey>,
): IssueStore.Found => {
  const visible = Rows.among(projects);
  const found = Array.from(tables.issues.values())
    .toSorted((a, b) => b.seq - a.seq)
    .flatMap((issue) => {
      if (!visible(issue.projectId) || !matches(tables, query, issue)) return [];
      const isStart =
        keyStart !== undefined &&
        tables.prefixes.get(keyStart.prefix) === issue.projectId &&
        String(issue.number).startsWith(String(keyStart.number));
      const keyTier = issue.id === issueId ? -2 : isStart ? -1 : undefined;
      const tier = keyTier ?? Matching.tierOf(texts(tables, issue), words);
      return tier === undefined ? [] : [{ issue, tier, isKey: keyTier !== undefined }];
    });
  const byTier = [-2, -1, ...Matching.tiers.keys()].map((index) =>
    found.filter(({ tier }) => tier === index),
  );
  const sign = order === "asc" ? 1 : -1;
  const hits = byTier
    .flatMap((hits) => hits.slice(0, Matching.mostCandidates))
    .map((hit) => (sort === "relevance" ? hit : { ...hit, tier: 0 }))
    .map((hit) => ({ hit, key: IssueOrder.foundKeyset.keyOf(hit) }))
    .filter(({ key }) => after === null || IssueOrder.compareFound(sort)(key, after) * sign > 0)
    .toSorted((a, b) => IssueOrder.compareFound(sort)(a.key, b.key) * sign)
    .slice(0, limit)
    .map(({ hit }) => hit);
  const isTruncated = byTier.some((hits) => hits.length > Matching.mostCandidates);
  return { hits, isTruncated, asOf: null };
};
