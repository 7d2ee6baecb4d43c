import { Issue, type Page, type Project } from "@quartermaster/core";
import { Effect } from "effect";
import type { SqlClient } from "effect/sql";
import { always, among, type Clause, clause, limit, list, raw } from "../sql/Clause.ts";
import * as Dialect from "../sql/Dialect.ts";
import * as Prepared from "../sql/Prepared.ts";

/** Projects, with the counts of their issues and their settings. */

const beyond = ({ after, order }: Page.Slice<string>) =>
  after === null ? always : clause`id ${raw(order === "asc" ? ">" : "<")} ${after}`;

type Row = readonly [
  id: string,
  prefix: string,
  name: string | null,
  description: string | null,
  paused: number,
  agentsMay: Project.AgentsMay | null,
  changedAt: string | null,
  eventAt: string | null,
];

export const read = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  projects: ReadonlyArray<string> | null,
  slice: Page.Slice<string>,
) {
  const wanted = clause`${beyond(slice)} AND ${among("id", projects)}`;
  const order = clause`ORDER BY id ${raw(slice.order)}`;
  const newest = (own: Clause, order: Clause) =>
    clause`(SELECT created_at FROM ${own}
      AND (related_project_id IS NULL OR ${among("related_project_id", projects)})
      ORDER BY ${order} DESC LIMIT 1)`;
  // PostgreSQL keeps events in a table of their own until they have a place in the order of all. As
  // a range of pairs, the events of a project are read by the index of projects: the planner would
  // read all events from the last one back to one of the project.
  const lastEventAt = Dialect.either(
    sql,
    newest(raw("events WHERE project_id = listed.id"), raw("seq")),
    clause`coalesce(
      ${newest(raw("events_new WHERE project_id = listed.id"), raw("place"))},
      ${newest(
        raw(`events WHERE (project_id, seq) > (listed.id, 0)
          AND (project_id, seq) < (listed.id, ${Number.MAX_SAFE_INTEGER})`),
        raw("project_id DESC, seq"),
      )})`,
  );
  const rows = yield* Prepared.run<Row>(
    sql,
    clause`SELECT listed.id, listed.prefix, listed.name, listed.description,
        listed.id IN (SELECT project_id FROM paused_projects),
        (SELECT agents_may FROM project_settings WHERE project_id = listed.id),
        (SELECT max(updated_at) FROM issues WHERE project_id = listed.id),
        ${lastEventAt}
      FROM (
        SELECT id, prefix, name, description FROM projects
        WHERE ${wanted} ${order} ${limit(slice.limit)}
      ) AS listed ${order}`,
  );
  const counted = yield* Prepared.run<readonly [id: string, status: string, count: number]>(
    sql,
    clause`SELECT project_id, status, sum(count) FROM issue_counts
      WHERE project_id IN ${list(rows.map(([id]) => id))} GROUP BY project_id, status`,
  );
  const counts = new Map(counted.map(([id, status, count]) => [`${id} ${status}`, count]));
  return rows.map((row): Project.ProjectSummary => {
    const [id, prefix, name, description, paused, agentsMay, changedAt, eventAt] = row;
    return {
      id,
      prefix,
      name,
      description,
      counts: Issue.countsOf((status) => counts.get(`${id} ${status}`) ?? 0),
      paused: paused === 1,
      agentsMay: agentsMay ?? "resolve",
      lastActivityAt: (changedAt ?? "") > (eventAt ?? "") ? changedAt : eventAt,
    };
  });
});
