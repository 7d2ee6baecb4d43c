import { Effect, Option } from "effect";
import type { Issue, IssueStore } from "@quartermaster/core";
import type { SqlClient, SqlError } from "effect/sql";
import * as IssueColumns from "./IssueColumns.ts";
import * as Prepared from "../client/Prepared.ts";
import * as RunColumns from "../runs/RunColumns.ts";

/** Issues by their id, and what the rules ask about one and its neighbours. */

type Sql = SqlClient.SqlClient;

interface RefColumns {
  readonly id: string;
  readonly project_id: string;
}

const toRef = (columns: RefColumns): IssueStore.IssueRef => ({
  id: columns.id,
  projectId: columns.project_id,
});

const getText = `SELECT ${IssueColumns.of()} FROM issues WHERE id = ?`;

/** An issue. */
export const issue = (sql: Sql, issueId: string) =>
  Effect.map(
    Prepared.query<IssueColumns.IssueColumns>(sql, getText)(issueId),
    ([columns]): Option.Option<Issue.IssueRow> =>
      columns === undefined ? Option.none() : Option.some(IssueColumns.toRow(columns)),
  );

export const facts = (sql: Sql) => {
  const openBlockers = Prepared.query<readonly [id: string, projectId: string]>(
    sql,
    `SELECT b.id, b.project_id FROM links l CROSS JOIN issues b ON b.id = l.source_id
      WHERE l.target_id = ? AND l.relation = 'Blocks' AND b.status NOT IN ('Resolved', 'Closed')
      ORDER BY l.seq LIMIT 100`,
  );
  const liveRun = Prepared.one<RunColumns.RunColumns>(
    sql,
    `SELECT ${RunColumns.all} FROM runs
      WHERE issue_id = ? AND status <> 'ended' AND lease_expires_at > ?`,
  );
  return Effect.fnUntraced(function* (issueId: string, now: string) {
    const row = Option.getOrUndefined(yield* issue(sql, issueId));
    if (row === undefined) return Option.none<IssueStore.IssueFacts>();
    const blockers = row.linkCount === 0 ? [] : yield* openBlockers(issueId);
    return Option.some<IssueStore.IssueFacts>({
      issue: row,
      openBlockers: blockers.map(([id, projectId]) => ({ id, projectId })),
      liveRun: Option.getOrNull(Option.map(yield* liveRun(issueId, now), RunColumns.toRow)),
    });
  });
};

export const dependents = Effect.fnUntraced(function* (
  sql: Sql,
  issueId: string,
  now: string,
): Effect.fn.Return<ReadonlyArray<IssueStore.DependentFacts>, SqlError.SqlError> {
  const rows = (yield* sql`
    SELECT EXISTS (SELECT 1 FROM links o CROSS JOIN issues b ON b.id = o.source_id
        WHERE o.target_id = d.id AND o.relation = 'Blocks' AND o.source_id <> ${issueId}
          AND b.status NOT IN ('Resolved', 'Closed')) AS blocked,
      EXISTS (SELECT 1 FROM runs r WHERE r.issue_id = d.id AND r.status <> 'ended'
        AND r.lease_expires_at > ${now}) AS live,
      ${sql.literal(IssueColumns.ofState("d"))}
    FROM links l CROSS JOIN issues d ON d.id = l.target_id
    WHERE l.source_id = ${issueId} AND l.relation = 'Blocks'
    ORDER BY l.seq`.values) as ReadonlyArray<
    readonly [blocked: number, live: number, ...IssueColumns.StateColumns]
  >;
  return rows.map(([blocked, live, ...columns]) => ({
    issue: IssueColumns.toState(columns),
    otherOpenBlocker: blocked === 1,
    live: live === 1,
  }));
});

export const openDependents = (sql: Sql, issueId: string, limit: number) =>
  Effect.map(
    sql<RefColumns>`SELECT d.id, d.project_id FROM links l CROSS JOIN issues d ON d.id = l.target_id
      WHERE l.source_id = ${issueId} AND l.relation = 'Blocks'
        AND d.status NOT IN ('Resolved', 'Closed')
      ORDER BY l.seq LIMIT ${limit} + 0`,
    (rows) => rows.map(toRef),
  );
