import {
  EffectSlot,
  Inbox,
  InboxItem,
  InboxStore,
  Issue,
  type Page,
  Question,
} from "@quartermaster/core";
import { Effect, Layer } from "effect";
import * as Claimable from "./Claimable.ts";
import { Database } from "./Database.ts";
import * as Graph from "./Graph.ts";
import * as MemoryMentionStore from "./MemoryMentionStore.ts";
import * as Rows from "./Rows.ts";
import type { Tables } from "./Tables.ts";

/** The rows of a slice, selected and sorted by key. */
const sliceOf = <Row>(
  rows: ReadonlyArray<Row>,
  { after, limit, order }: Page.Slice<InboxStore.InboxKey>,
  keyOf: (row: Row) => InboxStore.InboxKey,
): ReadonlyArray<Row> => {
  const sign = order === "asc" ? 1 : -1;
  return rows
    .filter((row) => after === null || Inbox.compare(keyOf(row), after) * sign > 0)
    .toSorted((a, b) => Inbox.compare(keyOf(a), keyOf(b)) * sign)
    .slice(0, limit);
};

const inboxIssue = (row: Issue.IssueRow): InboxStore.InboxIssue => ({
  id: row.id,
  key: row.key,
  projectId: row.projectId,
  title: row.title,
  status: row.status,
  priority: row.priority,
  assignedAgentId: row.assignedAgentId,
  pausedBecause: row.pausedBecause,
  attempts: row.attempts,
  notBefore: row.notBefore,
  updatedAt: row.updatedAt,
});

const keyOfIssue = ({ id, priority, updatedAt }: InboxStore.InboxIssue) => ({
  priority,
  since: updatedAt,
  id,
});

const issuesIn = ({ issues }: Tables, { mine = null, projects }: InboxStore.InboxQuery) => {
  const visible = Rows.among(projects);
  return Array.from(issues.values()).filter(
    ({ assigneeUserId, projectId }) =>
      visible(projectId) && (mine === null || assigneeUserId === mine),
  );
};

/** The issues whose questions are among the items. */
const askingIn = (tables: Tables, { mine = null, ...query }: InboxStore.InboxQuery) =>
  issuesIn(tables, query).filter(
    ({ assigneeUserId, createdBy }) =>
      mine === null ||
      assigneeUserId === mine ||
      (createdBy.type === "User" && createdBy.id === mine),
  );

const openAt = ({ questions }: Tables, now: string) =>
  Array.from(questions.values()).filter(
    (row) => row.status === "open" && !Question.isDue(row, now),
  );

const questions = (tables: Tables, query: InboxStore.InboxQuery) => {
  const visible = new Map(askingIn(tables, query).map((issue) => [issue.id, issue]));
  return openAt(tables, query.now).flatMap(({ createdAt, id, issueId, prompt }) => {
    const issue = visible.get(issueId);
    if (issue === undefined) return [];
    const { assignedAgentId, key, priority, projectId, title } = issue;
    return [
      {
        question: { id, prompt, createdAt },
        issue: { id: issueId, key, projectId, title, priority, assignedAgentId },
      },
    ];
  });
};

const unknownEffects = (tables: Tables, query: InboxStore.InboxQuery) => {
  const visible = new Map(issuesIn(tables, query).map((issue) => [issue.id, issue]));
  return Array.from(tables.effects.values()).flatMap(
    (slot): ReadonlyArray<InboxStore.InboxEffect> => {
      const issue = visible.get(slot.issueId);
      if (issue === undefined || EffectSlot.stateAt(slot, query.now) !== "unknown") return [];
      const { assignedAgentId, id, key, priority, projectId, title } = issue;
      const { callId, sentAt, server, serverId, tool } = slot;
      return [
        {
          effect: { callId, sentAt, serverId, server, tool },
          issue: { id, key, projectId, title, priority, assignedAgentId },
        },
      ];
    },
  );
};

const roots = (tables: Tables, query: InboxStore.InboxQuery) => {
  const { now, projects } = query;
  const visible = Rows.among(projects);
  const live = Graph.liveRuns(tables, now);
  const asked = new Set(openAt(tables, now).map(({ issueId }) => issueId));
  return issuesIn(tables, query).flatMap((issue): ReadonlyArray<InboxStore.InboxRoot> => {
    const { assignedAgentId, id, notBefore, pausedBecause, projectId, status } = issue;
    const agentPaused = Claimable.isAgentPaused(tables, assignedAgentId);
    const projectPaused = Claimable.isProjectPaused(tables, projectId);
    const blocks = Graph.dependents(tables, id).filter(
      (dependent) => Issue.isOpen(dependent.status) && visible(dependent.projectId),
    ).length;
    const isStuck =
      assignedAgentId === null ||
      pausedBecause !== null ||
      (notBefore !== null && notBefore > now) ||
      agentPaused ||
      projectPaused;
    const hasItem =
      pausedBecause === "failed" || pausedBecause === "tooManyAttempts" || asked.has(id);
    return (status === "Open" || status === "InProgress") &&
      blocks > 0 &&
      isStuck &&
      !hasItem &&
      live.get(id)?.status !== "active"
      ? [{ issue: inboxIssue(issue), agentPaused, projectPaused, blocks: Math.min(100, blocks) }]
      : [];
  });
};

const silentAgents = (
  tables: Tables,
  { now, projects, silentSince }: InboxStore.InboxQuery & { readonly silentSince: string },
): ReadonlyArray<InboxStore.InboxAgent> => {
  const visible = Rows.among(projects);
  const running = new Set(
    Array.from(Graph.liveRuns(tables, now).values())
      .filter(({ projectId }) => visible(projectId))
      .map(({ agentId }) => agentId),
  );
  return Array.from(tables.agents.values())
    .filter(({ lastHeartbeatAt }) => lastHeartbeatAt === null || lastHeartbeatAt < silentSince)
    .filter(({ id }) => running.has(id) || Claimable.of(tables, id, projects, now).length > 0)
    .map(({ createdAt, id, lastHeartbeatAt, name }) => ({ id, name, lastHeartbeatAt, createdAt }));
};

const haltedAgents = (
  { agents, issues }: Tables,
  { haltedSince, projects }: InboxStore.InboxQuery & { readonly haltedSince: string },
): ReadonlyArray<InboxStore.InboxHalted> =>
  Array.from(agents.values()).flatMap(({ halted, id, name }) => {
    const isVisible =
      projects === null ||
      Array.from(issues.values()).some(
        (issue) => issue.assignedAgentId === id && projects.includes(issue.projectId),
      );
    return halted !== null && halted.at > haltedSince && isVisible ? [{ id, name, halted }] : [];
  });

export const layer = Layer.effect(
  InboxStore.InboxStore,
  Effect.map(Database, (database) =>
    InboxStore.InboxStore.of({
      questions: (query, slice) =>
        database.read((tables) =>
          sliceOf(questions(tables, query), slice, ({ issue, question }) => ({
            priority: issue.priority,
            since: question.createdAt,
            id: question.id,
          })),
        ),
      mentions: (query, slice) =>
        database.read((tables) =>
          sliceOf(MemoryMentionStore.open(tables, query), slice, ({ issue, mention }) => ({
            priority: issue.priority,
            since: mention.since,
            id: `@${issue.id}`,
          })),
        ),
      unknownEffects: (query, slice) =>
        database.read((tables) =>
          sliceOf(unknownEffects(tables, query), slice, ({ effect, issue }) => ({
            priority: issue.priority,
            since: effect.sentAt,
            id: effect.callId,
          })),
        ),
      reviews: (query, slice) =>
        database.read((tables) => {
          const found = issuesIn(tables, query).filter(({ status }) => status === "PendingReview");
          return sliceOf(found.map(inboxIssue), slice, keyOfIssue);
        }),
      paused: (because, query, slice) =>
        database.read((tables) => {
          const found = issuesIn(tables, query).filter((row) => row.pausedBecause === because);
          return sliceOf(found.map(inboxIssue), slice, keyOfIssue);
        }),
      roots: (query, slice) =>
        database.read((tables) =>
          sliceOf(roots(tables, query), slice, ({ issue }) => keyOfIssue(issue)),
        ),
      handIns: (issueIds) =>
        database.read(({ comments, runs }) =>
          issueIds.flatMap((issueId) => {
            const newest = Array.from(runs.values())
              .filter((run) => run.issueId === issueId && run.commentId !== null)
              .toSorted((a, b) => b.seq - a.seq)[0];
            const comment = comments.get(newest?.commentId ?? "");
            return comment === undefined ? [] : [[issueId, comment.content] as const];
          }),
        ),
      waiting: (issueIds, projects) => {
        const visible = Rows.among(projects);
        return database.read((tables) =>
          issueIds.flatMap((issueId) =>
            Graph.dependents(tables, issueId)
              .filter(({ projectId, status }) => Issue.isOpen(status) && visible(projectId))
              .map(({ id }) => [issueId, id] as const),
          ),
        );
      },
      haltedAgents: (query, slice) =>
        database.read((tables) =>
          sliceOf(haltedAgents(tables, query), slice, ({ halted, id }) => ({
            priority: InboxItem.priorityOf.runnerHalted,
            since: halted.since,
            id,
          })),
        ),
      silentAgents: (query, slice) =>
        database.read((tables) =>
          sliceOf(silentAgents(tables, query), slice, ({ createdAt, id, lastHeartbeatAt }) => ({
            priority: InboxItem.priorityOf.agentSilent,
            since: lastHeartbeatAt ?? createdAt,
            id,
          })),
        ),
    }),
  ),
);
