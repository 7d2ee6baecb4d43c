import { Issue } from "@quartermaster/core";
import { Effect } from "effect";
import type { SqlClient } from "effect/sql";
import { among, clause } from "../sql/Clause.ts";
import * as Dialect from "../sql/Dialect.ts";
import * as Prepared from "../sql/Prepared.ts";

/**
 * The table `issue_counts`. Triggers count moves and removals: see the migration. With PostgreSQL its
 * rows are differences, so that two changes of a project do not write one row.
 */

/** Counts a new issue. */
export const inserted = (sql: SqlClient.SqlClient) => {
  const text = `INSERT INTO issue_counts (project_id, status, count) VALUES (?, ?, 1)
    ${Dialect.either(sql, "ON CONFLICT DO UPDATE SET count = count + 1", "")}`;
  return ({ projectId, status }: Pick<Issue.IssueState, "projectId" | "status">) =>
    Prepared.execute(sql, { text, params: [projectId, status] });
};

/** Counts an issue in another project than before. */
export const relocated = (
  sql: SqlClient.SqlClient,
  status: Issue.IssueStatus,
  from: string,
  to: string,
) =>
  Effect.andThen(
    Prepared.execute(
      sql,
      Dialect.either(
        sql,
        clause`UPDATE issue_counts SET count = count - 1
          WHERE project_id = ${from} AND status = ${status}`,
        clause`INSERT INTO issue_counts (project_id, status, count) VALUES (${from}, ${status}, -1)`,
      ),
    ),
    inserted(sql)({ projectId: to, status }),
  );

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
