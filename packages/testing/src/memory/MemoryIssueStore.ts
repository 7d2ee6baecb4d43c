import { Issue, IssueStore, Question, Run } from "@quartermaster/core";
import { Effect, Layer, Option } from "effect";
import * as Claimable from "./Claimable.ts";
import { Database } from "./Database.ts";
import * as Graph from "./Graph.ts";
import * as IssueList from "./IssueList.ts";
import * as MemoryCallBodyStore from "./MemoryCallBodyStore.ts";
import * as MemoryEffectStore from "./MemoryEffectStore.ts";
import * as MemoryMentionStore from "./MemoryMentionStore.ts";
import * as MemoryRunLogStore from "./MemoryRunLogStore.ts";
import * as MemoryVersionStore from "./MemoryVersionStore.ts";
import * as Relocation from "./Relocation.ts";
import * as Rows from "./Rows.ts";
import type { Tables } from "./Tables.ts";

const refOf = ({ id, projectId }: Issue.IssueRow): IssueStore.IssueRef => ({ id, projectId });

const remove = (tables: Tables, issueId: string): void => {
  for (const link of tables.links.values()) {
    if (link.sourceId === issueId || link.targetId === issueId) {
      tables.links.delete(link.id);
      Graph.countLink(tables, link, -1);
    }
  }
  for (const [key, { itemId }] of tables.snoozes.entries()) {
    if (itemId === issueId || tables.questions.get(itemId)?.issueId === issueId) {
      tables.snoozes.delete(key);
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
  for (const run of tables.runs.values()) {
    if (run.issueId === issueId) tables.runs.set(run.id, { ...run, issueKey: null });
  }
  MemoryRunLogStore.removeOfIssue(tables, issueId);
  MemoryCallBodyStore.removeOfIssue(tables, issueId);
  MemoryEffectStore.removeOfIssue(tables, issueId);
  MemoryVersionStore.removeOfIssue(tables, issueId);
  MemoryMentionStore.removeOfIssue(tables, issueId);
  Relocation.removeOfIssue(tables, issueId);
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
      versionSeq: Math.max(
        0,
        ...Array.from(tables.versions.values(), (version) =>
          version.issueId === issue.id ? version.seq : 0,
        ),
      ),
      hasQuestions: Array.from(tables.questions.values()).some(
        (question) => question.issueId === issue.id,
      ),
      hasEffects: Array.from(tables.effects.values()).some((effect) => effect.issueId === issue.id),
    }));

export const layer = Layer.effect(
  IssueStore.IssueStore,
  Effect.map(Database, (database) =>
    IssueStore.IssueStore.of({
      insert: ({ prefix, ...issue }) =>
        database.write((tables, locks) => {
          locks?.issue(issue.id);
          const number = Relocation.nextNumber(tables, issue.projectId);
          const row = { ...issue, number, key: `${prefix}-${number}`, seq: database.nextSeq() };
          tables.issues.set(row.id, row);
          return row;
        }),
      update: (rows) =>
        database.write(({ issues }, locks) => {
          for (const row of rows) {
            locks?.issue(row.id);
            const before = issues.get(row.id);
            if (before !== undefined) {
              const { key, linkCount, number } = before;
              issues.set(row.id, { ...row, key, linkCount, number });
            }
          }
        }),
      relocate: (issue, project) =>
        database.write((tables, locks) => {
          locks?.issue(issue.id);
          return Relocation.relocate(tables, issue, project);
        }),
      move: (states) =>
        database.write(({ issues }, locks) => {
          for (const state of states) {
            locks?.issue(state.id);
            const before = issues.get(state.id);
            if (before !== undefined) {
              const { key, projectId } = before;
              issues.set(state.id, { ...before, ...Issue.stateOf(state), key, projectId });
            }
          }
        }),
      remove: (issueId) =>
        database.write((tables, locks) => {
          locks?.issue(issueId);
          remove(tables, issueId);
        }),
      get: (issueId) => database.read(({ issues }) => Option.fromNullishOr(issues.get(issueId))),
      ofKey: (prefix, number) =>
        database.read((tables) =>
          Option.map(
            Option.fromNullishOr(Relocation.ofNumber(tables, tables.prefixes.get(prefix), number)),
            refOf,
          ),
        ),
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
      dependents: (issueId, now) =>
        database.read((tables, locks) => {
          const found = dependents(tables, issueId, now);
          const ids = found.map(({ issue }) => issue.id);
          locks?.dependentsOf(issueId, ids);
          return found;
        }),
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
        database.read((tables) =>
          IssueList.read(tables, { ...query, projects: [projectId] }, slice),
        ),
      listAcross: (query, slice) => database.read((tables) => IssueList.read(tables, query, slice)),
      search: (query, slice) => database.read((tables) => IssueList.search(tables, query, slice)),
      texts: (issues) =>
        database.read((tables) => issues.map((issue) => IssueList.texts(tables, issue))),
      indexOlder: Effect.succeed(0),
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
