import { Issue, type Page, type Project } from "@quartermaster/core";
import { Effect } from "effect";
import type { SqlClient } from "effect/sql";
import * as Prepared from "../client/Prepared.ts";
import { always, among, clause, limit, list, raw } from "../sql/Clause.ts";

/** The projects that have an issue or are paused, read from the tables that count and name them. */

const beyond = ({ after, order }: Page.Slice<string>) =>
  after === null ? always : clause`project_id ${raw(order === "asc" ? ">" : "<")} ${after}`;

type Row = readonly [id: string, paused: number, changedAt: string | null, eventAt: string | null];

export const read = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  projects: ReadonlyArray<string> | null,
  slice: Page.Slice<string>,
) {
  const wanted = clause`${beyond(slice)} AND ${among("project_id", projects)}`;
  const order = clause`ORDER BY 1 ${raw(slice.order)}`;
  // Both halves are read in the order of their keys, and only as far as the page needs.
  const rows = yield* Prepared.run<Row>(
    sql,
    clause`SELECT listed.id, listed.id IN paused_projects,
        (SELECT max(updated_at) FROM issues WHERE project_id = listed.id),
        (SELECT created_at FROM events WHERE project_id = listed.id ORDER BY seq DESC LIMIT 1)
      FROM (
        SELECT project_id AS id FROM issue_counts WHERE count > 0 AND ${wanted}
        UNION SELECT project_id FROM paused_projects WHERE ${wanted} ${order} ${limit(slice.limit)}
      ) AS listed ${order}`,
  );
  const counted = yield* Prepared.run<readonly [id: string, status: string, count: number]>(
    sql,
    clause`SELECT project_id, status, count FROM issue_counts
      WHERE project_id IN ${list(rows.map(([id]) => id))}`,
  );
  const counts = new Map(counted.map(([id, status, count]) => [`${id} ${status}`, count]));
  return rows.map(([id, paused, changedAt, eventAt]): Project.ProjectSummary => ({
    id,
    counts: Issue.countsOf((status) => counts.get(`${id} ${status}`) ?? 0),
    paused: paused === 1,
    lastActivityAt: (changedAt ?? "") > (eventAt ?? "") ? changedAt : eventAt,
  }));
});
