import { InboxItem, InboxStore, type Page } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { SqlClient, type SqlError } from "effect/sql";
import * as ClaimRule from "../issues/ClaimRule.ts";
import * as IssueTable from "../issues/IssueTable.ts";
import { always, among, clause, limit, list, raw } from "../sql/Clause.ts";
import * as Dialect from "../sql/Dialect.ts";
import * as KeyText from "../sql/KeyText.ts";
import * as Prepared from "../sql/Prepared.ts";
import { mapped } from "../sql/StorageErrors.ts";
import * as Table from "../sql/Table.ts";
import * as InboxOrder from "./InboxOrder.ts";
import * as IssueSlices from "./IssueSlices.ts";

type Sql = SqlClient.SqlClient;
type Query = InboxStore.InboxQuery;
type Slice = Page.Slice<InboxStore.InboxKey>;

/** The issue's part of a question or an effect. */
const issue = Table.make<InboxStore.InboxQuestion["issue"]>("issues", (cells, row) => ({
  id: cells.plain("id", row.id),
  key: cells.derived(null, KeyText.of, row.key),
  projectId: cells.plain("project_id", row.projectId),
  title: cells.plain("title", row.title),
  priority: cells.ranked("priority", row.priority, IssueTable.priorities),
  assignedAgentId: cells.plain("assigned_agent_id", row.assignedAgentId),
}));

const questions = (
  sql: Sql,
  { mine = null, now, projects }: Query,
  slice: Slice,
): Effect.Effect<ReadonlyArray<InboxStore.InboxQuestion>, SqlError.SqlError> => {
  const key = ["q.priority", "q.created_at", "q.id"] as const;
  const isMine =
    mine === null
      ? always
      : clause`EXISTS (SELECT 1 FROM issues m WHERE m.id = q.issue_id AND (m.assignee_user_id = ${mine}
          OR m.created_by_type = 'User' AND m.created_by_id = ${mine}) /* OFFSET 0 */)`;
  const isOpen = clause`q.status = 'open' AND (q.expires_at IS NULL OR q.expires_at > ${now})
    AND ${isMine} AND ${InboxOrder.beyond(slice, key)}`;
  const ordered = InboxOrder.ordered(slice, key);
  const found =
    projects === null
      ? clause`SELECT q.seq FROM questions q WHERE ${isOpen} ${ordered}`
      : InboxOrder.each(
          sql,
          clause`${list(projects)} p`,
          "questions",
          clause`SELECT q.seq FROM questions q WHERE q.project_id = p.value AND ${isOpen} ${ordered}`,
        );
  return Effect.map(
    Prepared.run<readonly [id: string, prompt: string, createdAt: string]>(
      sql,
      clause`SELECT q.id, q.prompt, q.created_at, ${raw(issue.select("i"))}
        FROM questions q CROSS JOIN issues i ON i.id = q.issue_id
        WHERE q.seq ${Dialect.amongRows(sql, found)} ${ordered}`,
    ),
    (rows) =>
      rows.map((cells) => {
        const [id, prompt, createdAt] = cells;
        return { question: { id, prompt, createdAt }, issue: issue.toRow(cells, 3) };
      }),
  );
};

/** The newest mentions of a name that are considered. */
const newestMentions = 1_000;

/** Each mention is found by its name, and costs a lookup of its issue, of a newer mention and of a later comment. */
const mentions = (
  sql: Sql,
  { name, projects }: Query & { readonly name: string },
  slice: Slice,
): Effect.Effect<ReadonlyArray<InboxStore.InboxMention>, SqlError.SqlError> => {
  const key = ["i.priority", "m.since", "('@' || i.id)"] as const;
  return Effect.map(
    Prepared.run<readonly [textId: string, since: string, text: string | null]>(
      sql,
      clause`SELECT m.text_id, m.since,
          substr(CASE WHEN m.text_id = i.id THEN i.description ELSE
            (SELECT c.content FROM comments c WHERE c.id = m.text_id) END, 1, 501),
          ${raw(issue.select("i"))}
        FROM (
          SELECT issue_id, text_id, since FROM mentions WHERE name = ${name}
          ORDER BY since DESC ${limit(newestMentions)}
        ) m CROSS JOIN issues i ON i.id = m.issue_id
        WHERE ${among("i.project_id", projects)} AND ${InboxOrder.beyond(slice, key)}
          AND NOT EXISTS (SELECT 1 FROM mentions n
            WHERE n.issue_id = m.issue_id AND n.name = ${name}
              AND (n.since, n.text_id) > (m.since, m.text_id) /* OFFSET 0 */)
          AND NOT EXISTS (SELECT 1 FROM comments a
            WHERE a.issue_id = m.issue_id AND a.author_type = 'User' AND a.author_id = ${name}
              AND a.created_at > m.since /* OFFSET 0 */)
        ${InboxOrder.ordered(slice, key)}`,
    ),
    (rows) =>
      rows.map((cells) => {
        const [textId, since, text] = cells;
        return { mention: { textId, since }, text: text ?? "", issue: issue.toRow(cells, 3) };
      }),
  );
};

/** Effects that wait for a settlement, and effects whose node does not vouch for them, are few. */
const unknownEffects = (
  sql: Sql,
  { mine, now, projects }: Query,
  slice: Slice,
): Effect.Effect<ReadonlyArray<InboxStore.InboxEffect>, SqlError.SqlError> => {
  const key = ["i.priority", "e.sent_at", "e.call_id"] as const;
  return Effect.map(
    Prepared.run<
      readonly [callId: string, sentAt: string, serverId: string, server: string, tool: string]
    >(
      sql,
      clause`SELECT e.call_id, e.sent_at, e.server_id, e.server, e.tool, ${raw(issue.select("i"))}
        FROM (
          SELECT * FROM effects WHERE state = 'unknown'
          UNION ALL SELECT * FROM effects WHERE state = 'sent' AND until <= ${now}
        ) e CROSS JOIN issues i ON i.id = e.issue_id
        WHERE ${among("i.project_id", projects)} AND ${InboxOrder.assigned("i", mine)}
          AND ${InboxOrder.beyond(slice, key)}
        ${InboxOrder.ordered(slice, key)}`,
    ),
    (rows) =>
      rows.map((cells) => {
        const [callId, sentAt, serverId, server, tool] = cells;
        return { effect: { callId, sentAt, serverId, server, tool }, issue: issue.toRow(cells, 5) };
      }),
  );
};

/**
 * Issues that agents may claim or run. Without the hint the planner uses an index of all issues of
 * an agent.
 */
const claimable = "issues INDEXED BY issues_claimable";
const claimableIn = (projects: Query["projects"]) =>
  raw(projects === null ? claimable : "issues INDEXED BY issues_agent");
const claimed = "status IN ('Open', 'InProgress') AND paused_because IS NULL";

/**
 * The maximum number of agents that each part of the query reads: assignments may name any number
 * of agents.
 */
const looked = 5_000;

/**
 * Agents with work are few compared to all registered agents. This takes one index lookup for each
 * agent with work, instead of one for each registered agent.
 */
const withWork = (sql: Sql) =>
  raw(`WITH RECURSIVE n (id) AS (
    SELECT min(assigned_agent_id) FROM ${claimable} WHERE assigned_agent_id > '' AND ${claimed}
    UNION ALL
    SELECT (SELECT min(assigned_agent_id) FROM ${claimable} WHERE assigned_agent_id > n.id AND ${claimed})
    FROM n WHERE n.id IS NOT NULL
    ${Dialect.either(sql, `LIMIT ${looked}`, "")}
  )`);

const silentAgents = (
  sql: Sql,
  { now, projects, silentSince }: Query & { readonly silentSince: string },
  slice: Slice,
): Effect.Effect<ReadonlyArray<InboxStore.InboxAgent>, SqlError.SqlError> => {
  const key = [
    String(IssueTable.priorityRank(InboxItem.priorityOf.agentSilent)),
    "coalesce(a.last_heartbeat_at, a.created_at)",
    "a.id",
  ] as const;
  const some = raw(Dialect.either(sql, "n", `(SELECT id FROM n LIMIT ${looked}) AS part`));
  const free = { text: ClaimRule.free, params: ClaimRule.params(now) };
  return Effect.map(
    Prepared.run<readonly [string, string, lastHeartbeatAt: string | null, string]>(
      sql,
      clause`${withWork(sql)} SELECT a.id, a.name, a.last_heartbeat_at, a.created_at
        FROM (
          SELECT id FROM ${some}
          UNION SELECT agent_id FROM runs WHERE status <> 'ended'
          UNION SELECT id FROM (
            SELECT id FROM agents WHERE last_heartbeat_at < ${silentSince}
            ORDER BY last_heartbeat_at DESC LIMIT ${looked}
          ) AS part
        ) b
        CROSS JOIN agents a ON a.id = b.id
        WHERE (a.last_heartbeat_at IS NULL OR a.last_heartbeat_at < ${silentSince})
          AND ${InboxOrder.beyond(slice, key)}
          AND (
            EXISTS (SELECT 1 FROM runs r WHERE r.agent_id = a.id AND r.status <> 'ended'
              AND r.lease_expires_at > ${now} AND ${among("r.project_id", projects)} /* OFFSET 0 */)
            OR (a.paused = 0 AND EXISTS (SELECT 1 FROM ${claimableIn(projects)}
              WHERE assigned_agent_id = a.id AND ${among("project_id", projects)} AND ${free}
              /* OFFSET 0 */))
          )
        ${InboxOrder.ordered(slice, [key[1], key[2]])}`,
    ),
    (rows) =>
      rows.map(([id, name, lastHeartbeatAt, createdAt]) => ({
        id,
        name,
        lastHeartbeatAt,
        createdAt,
      })),
  );
};

const haltedAgents = (
  sql: Sql,
  { haltedSince, projects }: Query & { readonly haltedSince: string },
  slice: Slice,
): Effect.Effect<ReadonlyArray<InboxStore.InboxHalted>, SqlError.SqlError> => {
  const key = [
    String(IssueTable.priorityRank(InboxItem.priorityOf.runnerHalted)),
    "halted ->> 'since'",
    "agents.id",
  ] as const;
  const visible =
    projects === null
      ? always
      : clause`EXISTS (SELECT 1 FROM ${list(projects)} p CROSS JOIN issues i
          ON i.project_id = p.value AND i.assigned_agent_id = agents.id)`;
  return Effect.map(
    Prepared.run<readonly [string, string, halted: string]>(
      sql,
      clause`SELECT id, name, halted FROM agents
        WHERE halted IS NOT NULL AND halted ->> 'at' > ${haltedSince}
          AND ${InboxOrder.beyond(slice, key)} AND ${visible}
        ${InboxOrder.ordered(slice, [key[1], key[2]])}`,
    ),
    (rows) => rows.map(([id, name, halted]) => ({ id, name, halted: JSON.parse(halted) })),
  );
};

const waiting = (sql: Sql, issueIds: ReadonlyArray<string>, projects: Query["projects"]) =>
  Prepared.run<readonly [issueId: string, dependentId: string]>(
    sql,
    clause`SELECT l.source_id, l.target_id FROM links l CROSS JOIN issues d ON d.id = l.target_id
      WHERE l.source_id IN ${list(issueIds)} AND l.relation = 'Blocks'
        AND ${among("l.target_project_id", projects)} AND ${raw(IssueTable.isOpen("d"))}`,
  );

const handIns = (sql: Sql, issueIds: ReadonlyArray<string>) =>
  Prepared.run<readonly [issueId: string, content: string]>(
    sql,
    clause`SELECT r.issue_id, substr(c.content, 1, 1000) FROM (
        SELECT max(seq) AS seq FROM runs
        WHERE issue_id IN ${list(issueIds)} AND comment_id IS NOT NULL GROUP BY issue_id
      ) n CROSS JOIN runs r ON r.seq = n.seq CROSS JOIN comments c ON c.id = r.comment_id`,
  );

/**
 * The inbox in the current `SqlClient`. With 300,000 issues, 60,000 links, 6,000 open questions and
 * 2,000 agents with work, a page takes 30 ms for all projects (20 ms of it for silent agents) and
 * 15 ms for one project.
 */
export const layer: Layer.Layer<InboxStore.InboxStore, never, SqlClient.SqlClient> = Layer.effect(
  InboxStore.InboxStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const paused = {
      failed: IssueSlices.paused("failed"),
      tooManyAttempts: IssueSlices.paused("tooManyAttempts"),
    };
    return InboxStore.InboxStore.of({
      questions: (query, slice) => mapped(questions(sql, query, slice)),
      mentions: (query, slice) => mapped(mentions(sql, query, slice)),
      unknownEffects: (query, slice) => mapped(unknownEffects(sql, query, slice)),
      reviews: (query, slice) => mapped(IssueSlices.reviews(sql, query, slice)),
      paused: (because, query, slice) => mapped(paused[because](sql, query, slice)),
      roots: (query, slice) => mapped(IssueSlices.roots(sql, query, slice)),
      waiting: (issueIds, projects) => mapped(waiting(sql, issueIds, projects)),
      handIns: (issueIds) => mapped(handIns(sql, issueIds)),
      silentAgents: (query, slice) => mapped(silentAgents(sql, query, slice)),
      haltedAgents: (query, slice) => mapped(haltedAgents(sql, query, slice)),
    });
  }),
);
