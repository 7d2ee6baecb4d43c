import { Effect, Option } from "effect";
import type { IssueStore } from "@quartermaster/core";
import type { SqlClient, SqlError } from "effect/sql";
import { type IssueColumns, toRow } from "./IssueColumns.ts";
import * as RunColumns from "./RunColumns.ts";

/** What the rules ask about an issue and its neighbours. */

type Sql = SqlClient.SqlClient;

interface RefColumns {
  readonly id: string;
  readonly project_id: string;
}

const toRef = (columns: RefColumns): IssueStore.IssueRef => ({
  id: columns.id,
  projectId: columns.project_id,
});

export const facts = Effect.fnUntraced(function* (sql: Sql, issueId: string, now: string) {
  const [columns] = yield* sql<IssueColumns>`SELECT * FROM issues WHERE id = ${issueId}`;
  if (columns === undefined) return Option.none<IssueStore.IssueFacts>();
  const blockers =
    columns.link_count === 0
      ? []
      : yield* sql<RefColumns>`SELECT b.id, b.project_id FROM links l
          CROSS JOIN issues b ON b.id = l.source_id
          WHERE l.target_id = ${issueId} AND l.relation = 'Blocks'
            AND b.status NOT IN ('Resolved', 'Closed')
          ORDER BY l.seq LIMIT 100`;
  const [run] = yield* sql<RunColumns.RunColumns>`SELECT * FROM runs
    WHERE issue_id = ${issueId} AND status <> 'ended' AND lease_expires_at > ${now}`;
  return Option.some<IssueStore.IssueFacts>({
    issue: toRow(columns),
    openBlockers: blockers.map(toRef),
    liveRun: run === undefined ? null : RunColumns.toRow(run),
  });
});

export const dependents = Effect.fnUntraced(function* (
  sql: Sql,
  issueId: string,
  now: string,
): Effect.fn.Return<ReadonlyArray<IssueStore.DependentFacts>, SqlError.SqlError> {
  const rows = yield* sql<IssueColumns & { readonly blocked: number; readonly live: number }>`
    SELECT d.*,
      EXISTS (SELECT 1 FROM links o CROSS JOIN issues b ON b.id = o.source_id
        WHERE o.target_id = d.id AND o.relation = 'Blocks' AND o.source_id <> ${issueId}
          AND b.status NOT IN ('Resolved', 'Closed')) AS blocked,
      EXISTS (SELECT 1 FROM runs r WHERE r.issue_id = d.id AND r.status <> 'ended'
        AND r.lease_expires_at > ${now}) AS live
    FROM links l CROSS JOIN issues d ON d.id = l.target_id
    WHERE l.source_id = ${issueId} AND l.relation = 'Blocks'
    ORDER BY l.seq`;
  return rows.map((row) => ({
    issue: toRow(row),
    otherOpenBlocker: row.blocked === 1,
    live: row.live === 1,
  }));
});

export const openDependents = (sql: Sql, issueId: string, limit: number) =>
  Effect.map(
    sql<RefColumns>`SELECT d.id, d.project_id FROM links l CROSS JOIN issues d ON d.id = l.target_id
      WHERE l.source_id = ${issueId} AND l.relation = 'Blocks'
        AND d.status NOT IN ('Resolved', 'Closed')
      ORDER BY l.seq LIMIT ${limit}`,
    (rows) => rows.map(toRef),
  );
