import {
  Issue,
  IssueOrder,
  IssueStore,
  type Page,
  Question,
  Run,
  SearchText,
} from "@quartermaster/core";
import { Effect, Layer, Option } from "effect";
import * as Claimable from "./Claimable.ts";
import { Database } from "./Database.ts";
import * as Graph from "./Graph.ts";
import * as MemoryCallBodyStore from "./MemoryCallBodyStore.ts";
import * as MemoryEffectStore from "./MemoryEffectStore.ts";
import * as MemoryRunLogStore from "./MemoryRunLogStore.ts";
import * as Rows from "./Rows.ts";
import type { Tables } from "./Tables.ts";

const refOf = ({ id, projectId }: Issue.IssueRow): IssueStore.IssueRef => ({ id, projectId });

const is = <A>(wanted: A | undefined, ...values: ReadonlyArray<A | null>): boolean =>
  wanted === undefined || values.includes(wanted);

type Filters = Omit<IssueStore.IssueQuery, "projectId">;

/** Whether a claim by its agent would start the issue. */
const isReady = (tables: Tables, now: string, { assignedAgentId, id }: Issue.IssueRow) =>
  assignedAgentId !== null &&
  Claimable.of(tables, assignedAgentId, null, now).some((issue) => issue.id === id);

const matches = (tables: Tables, query: Filters, issue: Issue.IssueRow): boolean =>
  (query.status === undefined || query.status.includes(issue.status)) &&
  is(query.agentId, issue.assignedAgentId) &&
  is(query.externalRef, issue.externalRef) &&
  is(query.paused, issue.pausedBecause !== null) &&
  (query.label ?? []).every((label) => issue.labels.includes(label)) &&
  (query.ready === undefined || isReady(tables, query.ready.now, issue) === query.ready.is) &&
  is(query.assigneeId, issue.assignedAgentId, issue.assigneeUserId) &&
  is(query.goalId, issue.goalId) &&
  is(query.priority, issue.priority) &&
  (query.updatedSince === undefined || issue.updatedAt >= query.updatedSince) &&
  hasWords(tables, query.words ?? [], issue);

/** A slice of the issues of some projects; null for all projects. */
const list = (
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

const wordsOf = (tables: Tables, issue: Issue.IssueRow): ReadonlySet<string> => {
  const comments = Array.from(tables.comments.values()).filter(
    (comment) => comment.issueId === issue.id,
  );
  return new Set(
    [issue.title, issue.description ?? "", ...comments.map(({ content }) => content)].flatMap(
      SearchText.words,
    ),
  );
};

const hasWords = (tables: Tables, wanted: ReadonlyArray<string>, issue: Issue.IssueRow) => {
  if (wanted.length === 0) return true;
  const words = wordsOf(tables, issue);
  return wanted.every((word) => words.has(word));
};

const remove = (tables: Tables, issueId: string): void => {
  for (const link of tables.links.values()) {
    if (link.sourceId === issueId || link.targetId === issueId) {
      tables.links.delete(link.id);
      Graph.countLink(tables, link, -1);
    }
  }
  for (const table of [tables.comments, tables.questions, tables.activity, tables.attachments]) {
    for (const row of table.values()) {
      if (row.issueId === issueId) {
        table.delete(row.id);
        if (table === tables.attachments) tables.discarded.set(row.id, true);
      }
    }
  }
  MemoryRunLogStore.removeOfIssue(tables, issueId);
  MemoryCallBodyStore.removeOfIssue(tables, issueId);
  MemoryEffectStore.removeOfIssue(tables, issueId);
  tables.issues.delete(issueId);
};

const facts = (tables: Tables, issueId: string, now: string) =>
  Option.map(Option.fromNullishOr(tables.issues.get(issueId)), (issue): IssueStore.IssueFacts => ({
    issue,
    openBlockers: Graph.openBlockers(tables, issueId).slice(0, 100).map(refOf),
    liveRun: Graph.liveRuns(tables, now).get(issueId) ?? null,
    expiredRun:
      Array.from(tables.runs.values()).find(
        (run) => run.issueId === issueId && run.status !== "ended" && !Run.isLive(run, now),
      ) ?? null,
    agentPaused: Claimable.isAgentPaused(tables, issue.assignedAgentId),
    projectPaused: Claimable.isProjectPaused(tables, issue.projectId),
    callUntil: Graph.callsUntil(tables).get(issueId) ?? null,
    openQuestions: Graph.openQuestions(tables, issueId),
  }));

const dependents = (tables: Tables, issueId: string, now: string) => {
  const live = Graph.liveRuns(tables, now);
  return Graph.dependents(tables, issueId).map((issue): IssueStore.DependentFacts => ({
    issue: Issue.stateOf(issue),
    otherOpenBlocker: Graph.openBlockers(tables, issue.id).some(({ id }) => id !== issueId),
    live: live.has(issue.id),
  }));
};

const surroundings = (
  tables: Tables,
  issueIds: ReadonlyArray<string>,
  projects: ReadonlyArray<string> | null,
  now: string,
) => {
  const visible = Rows.among(projects);
  const live = Graph.liveRuns(tables, now);
  const isCounted = (issue: Issue.IssueRow) =>
    Issue.isOpen(issue.status) && visible(issue.projectId);
  return issueIds.map((id) => {
    const run = live.get(id);
    return {
      blockedByCount: Graph.openBlockers(tables, id).filter(isCounted).length,
      blocksCount: Graph.dependents(tables, id).filter(isCounted).length,
      openQuestions: Graph.openQuestions(tables, id).filter(
        (question) => !Question.isDue(question, now),
      ).length,
      liveRun:
        run === undefined
          ? null
          : { runId: run.id, agentId: run.agentId, leaseExpiresAt: run.leaseExpiresAt },
    };
  });
};

/** The issues that an agent would claim, ignoring questions and deferrals. */
const queueOf = (tables: Tables, agentId: string, projects: ReadonlyArray<string> | null) => {
  const visible = Rows.among(projects);
  return Array.from(tables.issues.values()).filter(
    (issue) =>
      issue.assignedAgentId === agentId &&
      (issue.status === "Open" || issue.status === "InProgress") &&
      issue.pausedBecause === null &&
      visible(issue.projectId),
  );
};

const claimable = (
  tables: Tables,
  agentId: string,
  projects: ReadonlyArray<string> | null,
  limit: number,
  now: string,
) =>
  Claimable.of(tables, agentId, projects, now)
    .slice(0, limit)
    .map((issue) => ({
      issue,
      isAbandoned: Graph.notEnded(tables).some((run) => run.issueId === issue.id),
      commentSeq: Math.max(
        0,
        ...Array.from(tables.comments.values(), (comment) =>
          comment.issueId === issue.id ? comment.seq : 0,
        ),
      ),
      hasQuestions: Array.from(tables.questions.values()).some(
        (question) => question.issueId === issue.id,
      ),
    }));

export const layer = Layer.effect(
  IssueStore.IssueStore,
  Effect.map(Database, (database) =>
    IssueStore.IssueStore.of({
      insert: (issue) =>
        database.write(({ issues }) => {
          const row = { ...issue, seq: database.nextSeq() };
          issues.set(row.id, row);
          return row;
        }),
      update: (rows) =>
        database.write(({ issues }) => {
          for (const row of rows) {
            const before = issues.get(row.id);
            if (before !== undefined) {
              issues.set(row.id, { ...row, linkCount: before.linkCount });
            }
          }
        }),
      move: (states) =>
        database.write(({ issues }) => {
          for (const state of states) {
            const before = issues.get(state.id);
            if (before !== undefined) {
              const { projectId } = before;
              issues.set(state.id, { ...before, ...Issue.stateOf(state), projectId });
            }
          }
        }),
      remove: (issueId) => database.write((tables) => remove(tables, issueId)),
      get: (issueId) => database.read(({ issues }) => Option.fromNullishOr(issues.get(issueId))),
      idOfExternalRef: (projectId, externalRef) =>
        database.read(({ issues }) =>
          Option.map(
            Option.fromNullishOr(
              Array.from(issues.values()).find(
                (issue) => issue.projectId === projectId && issue.externalRef === externalRef,
              ),
            ),
            ({ id }) => id,
          ),
        ),
      facts: (issueId, now) => database.read((tables) => facts(tables, issueId, now)),
      dependents: (issueId, now) => database.read((tables) => dependents(tables, issueId, now)),
      openDependents: (issueId, limit) =>
        database.read((tables) =>
          Graph.dependents(tables, issueId)
            .filter((issue) => Issue.isOpen(issue.status))
            .slice(0, limit)
            .map(refOf),
        ),
      surroundings: (issueIds, projects, now) =>
        database.read((tables) => surroundings(tables, issueIds, projects, now)),
      countByStatus: (projects) => {
        const visible = Rows.among(projects);
        return database.read(({ issues }) => {
          const counted = Array.from(issues.values()).filter(({ projectId }) => visible(projectId));
          return Issue.countsOf((status) => counted.filter((row) => row.status === status).length);
        });
      },
      list: ({ projectId, ...query }, slice) =>
        database.read((tables) => list(tables, { ...query, projects: [projectId] }, slice)),
      listAcross: (query, slice) => database.read((tables) => list(tables, query, slice)),
      deferredUntil: (agentId, projects, now) =>
        database.read((tables) => {
          const times = queueOf(tables, agentId, projects).flatMap(({ notBefore }) =>
            notBefore !== null && notBefore > now ? [notBefore] : [],
          );
          return Option.fromNullishOr(times.toSorted()[0]);
        }),
      isAwaiting: (agentId, projects, now) =>
        database.read((tables) => {
          const awaiting = Graph.awaiting(tables, now);
          return queueOf(tables, agentId, projects).some(({ id }) => awaiting.has(id));
        }),
      claimable: (agentId, projects, limit, now) =>
        database.read((tables) => claimable(tables, agentId, projects, limit, now)),
    }),
  ),
);
