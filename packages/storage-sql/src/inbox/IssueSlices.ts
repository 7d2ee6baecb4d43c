import type { InboxStore, Page } from "@quartermaster/core";
import { Effect } from "effect";
import type { SqlClient, SqlError } from "effect/sql";
import * as IssueFacts from "../issues/IssueFacts.ts";
import * as IssueTable from "../issues/IssueTable.ts";
import { among, type Clause, clause, list, raw } from "../sql/Clause.ts";
import * as Dialect from "../sql/Dialect.ts";
import * as KeyText from "../sql/KeyText.ts";
import * as Prepared from "../sql/Prepared.ts";
import * as Table from "../sql/Table.ts";
import * as InboxOrder from "./InboxOrder.ts";

/** Slices of issues in inbox order. Each source has its own partial indexes: see the migration. */

type Sql = SqlClient.SqlClient;
type Slice = Page.Slice<InboxStore.InboxKey>;
type Query = Pick<InboxStore.InboxQuery, "mine" | "projects">;
type Projects = Query["projects"];

const table = Table.make<InboxStore.InboxIssue>("issues", (cells, row) => ({
  id: cells.plain("id", row.id),
  key: cells.derived(null, KeyText.of, row.key),
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

/** A condition with two partial indexes in inbox order: `index`, and `index_project` by project. */
interface Source {
  readonly index: string;
  readonly condition: Clause;
}

const from = ({ index }: Source, by: "" | "_project") =>
  raw(`FROM issues INDEXED BY ${index}${by}`);

/** Selects the `seq` of a slice of one source. With projects, selects a slice of each project. */
const sliceOf = (sql: Sql, source: Source, { mine, projects }: Query, slice: Slice): Clause => {
  const rest = clause`${source.condition} AND ${InboxOrder.assigned("issues", mine)}
    AND ${InboxOrder.beyond(slice, key)}
    ${InboxOrder.ordered(slice, key)}`;
  return projects === null
    ? clause`SELECT issues.seq ${from(source, "")} WHERE ${rest}`
    : InboxOrder.each(
        sql,
        clause`${list(projects)} p`,
        "issues",
        clause`SELECT issues.seq ${from(source, "_project")}
          WHERE issues.project_id = p.value AND ${rest}`,
      );
};

const ofSource = (source: Source) => (sql: Sql, query: Query, slice: Slice) =>
  Effect.map(
    Prepared.run(
      sql,
      clause`SELECT ${raw(table.select())} FROM issues
        WHERE seq ${Dialect.amongRows(sql, sliceOf(sql, source, query, slice))} ${InboxOrder.ordered(slice, key)}`,
    ),
    (rows): ReadonlyArray<InboxStore.InboxIssue> => rows.map((cells) => table.toRow(cells)),
  );

export const reviews = ofSource({
  index: "issues_review",
  condition: raw("status = 'PendingReview'"),
});

export const paused = (because: "failed" | "tooManyAttempts") =>
  ofSource({ index: "issues_paused", condition: raw(`paused_because = '${because}'`) });

/** The condition that the issue blocks an open issue of the projects. */
const dependents = (projects: Projects): Clause =>
  clause`FROM links l CROSS JOIN issues d ON d.id = l.target_id
    WHERE l.source_id = issues.id AND l.relation = 'Blocks'
      AND ${among("l.target_project_id", projects)} AND ${raw(IssueTable.isOpen("d"))}`;

/** The limit at which counting dependents stops. */
const counted = 100;

export const roots = (
  sql: Sql,
  query: InboxStore.InboxQuery,
  slice: Slice,
): Effect.Effect<ReadonlyArray<InboxStore.InboxRoot>, SqlError.SqlError> => {
  const { mine, now, projects } = query;
  const isRoot = clause`blocks > 0 AND status IN ('Open', 'InProgress')
    AND paused_because IS DISTINCT FROM 'failed'
    AND paused_because IS DISTINCT FROM 'tooManyAttempts'
    AND NOT EXISTS (SELECT 1 FROM questions q WHERE q.issue_id = issues.id AND q.status = 'open'
      AND (q.expires_at IS NULL OR q.expires_at > ${now}) /* OFFSET 0 */)
    AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.issue_id = issues.id AND r.status <> 'ended'
      AND r.status = 'active' AND r.lease_expires_at > ${now} /* OFFSET 0 */)
    AND EXISTS (SELECT 1 ${dependents(projects)} /* OFFSET 0 */)`;
  const asTheyAre = {
    index: "issues_stuck",
    condition: clause`
      (assigned_agent_id IS NULL OR paused_because IS NOT NULL OR not_before IS NOT NULL)
      AND (assigned_agent_id IS NULL OR paused_because IS NOT NULL OR not_before > ${now})
      AND ${isRoot}`,
  };
  /** Slices of each paused agent or each paused project. */
  const ofPaused = (paused: Clause, owner: Clause) =>
    InboxOrder.each(
      sql,
      paused,
      "issues",
      clause`SELECT issues.seq FROM ${owner} AND ${isRoot} AND ${InboxOrder.assigned("issues", mine)}
        AND ${InboxOrder.beyond(slice, key)} ${InboxOrder.ordered(slice, key)}`,
    );
  const ofPausedAgents = ofPaused(
    raw(`(SELECT a.id FROM agents a WHERE ${Dialect.either(sql, "a.paused", "a.paused = 1")}) p`),
    clause`issues INDEXED BY issues_blocking_agent WHERE issues.assigned_agent_id = p.id
      AND ${among("+issues.project_id", projects)}`,
  );
  const ofPausedProjects = ofPaused(
    clause`(SELECT project_id FROM paused_projects WHERE ${among("project_id", projects)}) p`,
    raw("issues INDEXED BY issues_blocking_project WHERE issues.project_id = p.project_id"),
  );
  return Effect.map(
    Prepared.run<
      readonly [agentPaused: number, projectPaused: number, blocks: number, ...Array<unknown>]
    >(
      sql,
      clause`SELECT ${raw(IssueFacts.agentPaused("issues.assigned_agent_id"))},
          ${raw(IssueFacts.projectPaused("issues.project_id"))},
          (SELECT count(*) FROM (SELECT 1 ${dependents(projects)} LIMIT ${raw(String(counted))}) AS part),
          ${raw(table.select())} FROM issues WHERE seq IN (
            SELECT seq FROM issues WHERE seq IN (
              SELECT seq FROM (${sliceOf(sql, asTheyAre, query, slice)}) AS part
              UNION SELECT seq FROM (${ofPausedAgents}) AS part
              UNION SELECT seq FROM (${ofPausedProjects}) AS part
            ) ${InboxOrder.ordered(slice, key)}
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
