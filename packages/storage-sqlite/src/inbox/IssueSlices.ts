import type { InboxStore, Page } from "@quartermaster/core";
import { Effect } from "effect";
import type { SqlClient, SqlError } from "effect/sql";
import * as Prepared from "../client/Prepared.ts";
import * as IssueFacts from "../issues/IssueFacts.ts";
import * as IssueTable from "../issues/IssueTable.ts";
import { among, type Clause, clause, list, raw } from "../sql/Clause.ts";
import * as Table from "../sql/Table.ts";
import * as InboxOrder from "./InboxOrder.ts";

/** Slices of issues in the order of the inbox. Each source has its partial indexes: see the migration. */

type Sql = SqlClient.SqlClient;
type Slice = Page.Slice<InboxStore.InboxKey>;
type Projects = InboxStore.InboxQuery["projects"];

const table = Table.make<InboxStore.InboxIssue>("issues", (cells, row) => ({
  id: cells.plain("id", row.id),
  projectId: cells.plain("project_id", row.projectId),
  title: cells.plain("title", row.title),
  status: cells.plain("status", row.status),
  priority: cells.ranked("priority", row.priority, IssueTable.priorities),
  assignedAgentId: cells.plain("assigned_agent_id", row.assignedAgentId),
  pausedBecause: cells.plain("paused_because", row.pausedBecause),
  attempts: cells.plain("attempts", row.attempts),
  notBefore: cells.plain("not_before", row.notBefore),
  updatedAt: cells.plain("updated_at", row.updatedAt),
}));

const key = ["issues.priority", "issues.updated_at", "issues.id"] as const;
const seqs = raw("SELECT issues.seq FROM issues");
const selected = raw(`SELECT ${table.select()} FROM issues`);

/** The `seq` of a slice of one source: with projects, of each project by itself. */
const sliceOf = (condition: Clause, projects: Projects, slice: Slice): Clause => {
  const rest = clause`${condition} AND ${InboxOrder.beyond(slice, key)} ${InboxOrder.ordered(slice, key)}`;
  return projects === null
    ? clause`${seqs} WHERE ${rest}`
    : clause`SELECT o.seq FROM ${list(projects)} p CROSS JOIN issues o
        ON o.seq IN (${seqs} WHERE issues.project_id = p.value AND ${rest})`;
};

/** The issues of a condition that indexes have in order. */
const ofCondition = (condition: Clause) => (sql: Sql, projects: Projects, slice: Slice) =>
  Effect.map(
    Prepared.run(
      sql,
      projects === null
        ? clause`${selected} WHERE ${condition} AND ${InboxOrder.beyond(slice, key)}
            ${InboxOrder.ordered(slice, key)}`
        : clause`${selected} WHERE seq IN (${sliceOf(condition, projects, slice)})
            ${InboxOrder.ordered(slice, key)}`,
    ),
    (rows): ReadonlyArray<InboxStore.InboxIssue> => rows.map((cells) => table.toRow(cells)),
  );

export const reviews = ofCondition(raw("status = 'PendingReview'"));

export const paused = (because: "failed" | "tooManyAttempts") =>
  ofCondition(raw(`paused_because = '${because}'`));

/** The condition that the issue blocks an open issue of the projects. */
const dependents = (projects: Projects): Clause =>
  clause`FROM links l CROSS JOIN issues d ON d.id = l.target_id
    WHERE l.source_id = issues.id AND l.relation = 'Blocks'
      AND ${among("l.target_project_id", projects)} AND ${raw(IssueTable.isOpen("d"))}`;

/** At most so many dependents are counted. */
const counted = 100;

export const roots = (
  sql: Sql,
  { now, projects }: InboxStore.InboxQuery,
  slice: Slice,
): Effect.Effect<ReadonlyArray<InboxStore.InboxRoot>, SqlError.SqlError> => {
  const isOpen = raw("issues.blocks > 0 AND issues.status IN ('Open', 'InProgress')");
  const isRoot = clause`issues.paused_because IS NOT 'failed'
    AND issues.paused_because IS NOT 'tooManyAttempts'
    AND NOT EXISTS (SELECT 1 FROM questions q WHERE q.issue_id = issues.id AND q.status = 'open'
      AND (q.expires_at IS NULL OR q.expires_at > ${now}))
    AND NOT ${{ text: IssueFacts.heldBy("issues.id"), params: [now] }}
    AND EXISTS (SELECT 1 ${dependents(projects)})`;
  const asTheyAre = clause`blocks > 0 AND status IN ('Open', 'InProgress')
    AND (assigned_agent_id IS NULL OR paused_because IS NOT NULL OR not_before IS NOT NULL)
    AND (assigned_agent_id IS NULL OR paused_because IS NOT NULL OR not_before > ${now})
    AND ${isRoot}`;
  const rest = clause`${isOpen} AND ${isRoot} AND ${InboxOrder.beyond(slice, key)}
    ${InboxOrder.ordered(slice, key)}`;
  const ofPausedAgents = clause`SELECT issues.seq FROM agents a CROSS JOIN issues
      ON issues.assigned_agent_id = a.id AND issues.paused_because IS NULL
    WHERE a.paused AND ${among("issues.project_id", projects)} AND ${rest}`;
  const ofPausedProjects = clause`SELECT o.seq FROM paused_projects p CROSS JOIN issues o
      ON o.seq IN (${seqs} WHERE issues.project_id = p.project_id AND ${rest})
    WHERE ${among("p.project_id", projects)}`;
  return Effect.map(
    Prepared.run<
      readonly [agentPaused: number, projectPaused: number, blocks: number, ...Array<unknown>]
    >(
      sql,
      clause`SELECT ${raw(IssueFacts.agentPaused("issues.assigned_agent_id"))},
          ${raw(IssueFacts.projectPaused("issues.project_id"))},
          (SELECT count(*) FROM (SELECT 1 ${dependents(projects)} LIMIT ${raw(String(counted))})),
          ${raw(table.select())} FROM issues WHERE seq IN (
            SELECT seq FROM (${sliceOf(asTheyAre, projects, slice)})
            UNION SELECT seq FROM (${ofPausedAgents})
            UNION SELECT seq FROM (${ofPausedProjects})
          ) ${InboxOrder.ordered(slice, key)}`,
    ),
    (rows) =>
      rows.map((cells) => ({
        issue: table.toRow(cells, 3),
        agentPaused: cells[0] === 1,
        projectPaused: cells[1] === 1,
        blocks: cells[2],
      })),
  );
};
