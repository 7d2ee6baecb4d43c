import { Issue } from "@quartermaster/core";
import { Effect } from "effect";
import type { SqlClient } from "effect/sql";
import * as Prepared from "../client/Prepared.ts";
import { among, clause } from "../sql/Clause.ts";

/** The table `issue_counts`. Triggers count moves and removals: see the migration. */

/** Counts a new issue. */
export const inserted = (sql: SqlClient.SqlClient) => {
  const add = Prepared.query(
    sql,
    `INSERT INTO issue_counts (project_id, status, count) VALUES (?, ?, 1)
      ON CONFLICT DO UPDATE SET count = count + 1`,
  );
  return ({ projectId, status }: Pick<Issue.IssueState, "projectId" | "status">) =>
    add(projectId, status);
};

/** Counts the issues of the projects by status; null stands for all projects. */
export const byStatus = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  projects: ReadonlyArray<string> | null,
) {
  const rows = yield* Prepared.run<readonly [status: string, count: number]>(
    sql,
    clause`SELECT status, sum(count) FROM issue_counts
      WHERE ${among("project_id", projects)} GROUP BY status`,
  );
  const counts = new Map(rows);
  return Issue.countsOf((status) => counts.get(status) ?? 0);
});
