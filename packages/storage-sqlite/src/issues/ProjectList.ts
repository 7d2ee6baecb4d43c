import { Issue, type Page, type Project } from "@quartermaster/core";
import { Effect } from "effect";
import type { SqlClient } from "effect/sql";
import * as Prepared from "../client/Prepared.ts";
import { always, among, clause, limit, list, raw } from "../sql/Clause.ts";

/** The projects that have an issue or settings, from the tables of counts and settings. */

const beyond = ({ after, order }: Page.Slice<string>) =>
  after === null ? always : clause`project_id ${raw(order === "asc" ? ">" : "<")} ${after}`;

type Row = readonly [
  id: string,
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
  const wanted = clause`${beyond(slice)} AND ${among("project_id", projects)}`;
  const order = clause`ORDER BY 1 ${raw(slice.order)}`;
  // Each part is read in key order, and only until the page is full.
  const rows = yield* Prepared.run<Row>(
    sql,
    clause`SELECT listed.id, listed.id IN paused_projects,
        (SELECT agents_may FROM project_settings WHERE project_id = listed.id),
        (SELECT max(updated_at) FROM issues WHERE project_id = listed.id),
        (SELECT created_at FROM events WHERE project_id = listed.id
          AND (related_project_id IS NULL OR ${among("related_project_id", projects)})
          ORDER BY seq DESC LIMIT 1)
      FROM (
        SELECT project_id AS id FROM issue_counts WHERE count > 0 AND ${wanted}
        UNION SELECT project_id FROM paused_projects WHERE ${wanted}
        UNION SELECT project_id FROM project_settings WHERE ${wanted} ${order} ${limit(slice.limit)}
      ) AS listed ${order}`,
  );
  const counted = yield* Prepared.run<readonly [id: string, status: string, count: number]>(
    sql,
    clause`SELECT project_id, status, count FROM issue_counts
      WHERE project_id IN ${list(rows.map(([id]) => id))}`,
  );
  const counts = new Map(counted.map(([id, status, count]) => [`${id} ${status}`, count]));
  return rows.map(([id, paused, agentsMay, changedAt, eventAt]): Project.ProjectSummary => ({
    id,
    counts: Issue.countsOf((status) => counts.get(`${id} ${status}`) ?? 0),
    paused: paused === 1,
    agentsMay: agentsMay ?? "resolve",
    lastActivityAt: (changedAt ?? "") > (eventAt ?? "") ? changedAt : eventAt,
  }));
});
