import type { Issue, Project } from "@quartermaster/core";
import { Effect } from "effect";
import type { SqlClient, SqlError } from "effect/sql";
import { clause } from "../sql/Clause.ts";
import * as Prepared from "../sql/Prepared.ts";
import * as IssueCounts from "./IssueCounts.ts";
import type { IssueNumbers } from "./IssueNumbers.ts";
import * as SearchIndex from "./SearchIndex.ts";

/** Moves an issue to another project. `former_numbers` has every number that it had in a project that it left. */
export const relocate = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  numbers: IssueNumbers["Service"],
  issue: Issue.IssueRow,
  project: Project.ProjectRow,
): Effect.fn.Return<Issue.IssueRow, SqlError.SqlError> {
  const { id, labels, projectId: from, seq } = issue;
  const { id: to, prefix } = project;
  yield* Prepared.execute(
    sql,
    clause`INSERT INTO former_numbers (project_id, number, issue_id)
      VALUES (${from}, ${issue.number}, ${id}) ON CONFLICT DO NOTHING`,
  );
  const [former] = yield* Prepared.run<readonly [number: number]>(
    sql,
    clause`SELECT number FROM former_numbers WHERE issue_id = ${id} AND project_id = ${to}`,
  );
  const number = former?.[0] ?? (yield* numbers.draw(to));
  for (const statement of [
    clause`UPDATE issues SET project_id = ${to}, number = ${number} WHERE id = ${id}`,
    clause`UPDATE issue_labels SET project_id = ${to} WHERE project_id = ${from}
      AND label IN (SELECT value FROM json_each(${JSON.stringify(labels)})) AND seq = ${seq}`,
    clause`UPDATE links SET source_project_id = ${to} WHERE source_id = ${id}`,
    clause`UPDATE links SET target_project_id = ${to} WHERE target_id = ${id}`,
    clause`UPDATE questions SET project_id = ${to} WHERE issue_id = ${id}`,
    clause`UPDATE runs SET project_id = ${to} WHERE issue_id = ${id}`,
    // The entries of other issues that name this one, which its own timeline names.
    clause`UPDATE activity SET related_project_id = ${to}
      WHERE related_project_id = ${from} AND data ->> 'targetIssueId' = ${id} AND issue_id IN (
        SELECT own.data ->> 'targetIssueId' FROM activity own
        WHERE own.issue_id = ${id} AND own.related_project_id IS NOT NULL
      )`,
  ]) {
    yield* Prepared.execute(sql, statement);
  }
  yield* IssueCounts.relocated(sql, issue.status, from, to);
  yield* SearchIndex.update(sql, id);
  return { ...issue, projectId: to, number, key: `${prefix}-${number}` };
});
