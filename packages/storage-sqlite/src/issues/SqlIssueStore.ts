import { Effect, Layer } from "effect";
import { type Issue, IssueStore } from "@quartermaster/core";
import { SqlClient, type SqlError } from "effect/sql";
import * as IssueColumns from "./IssueColumns.ts";
import * as IssueFacts from "./IssueFacts.ts";
import * as IssueList from "./IssueList.ts";
import * as Keyset from "../sql/Keyset.ts";
import * as Prepared from "../client/Prepared.ts";
import * as SearchIndex from "./SearchIndex.ts";
import { mapped } from "../client/StorageErrors.ts";

const { contentNames, lifecycleNames } = IssueColumns;

const prefixed = (names: ReadonlyArray<string>, prefix: string) =>
  names.map((name) => `${prefix}.${name}`).join(", ");

type Move = (states: ReadonlyArray<Issue.IssueState>) => Effect.Effect<unknown, SqlError.SqlError>;

const move = (sql: SqlClient.SqlClient): Move => {
  const update = Prepared.update(sql, "issues", lifecycleNames);
  return (states) => update(states.map(IssueColumns.lifecycleColumns));
};

/** What people write changes rarely: it is compared first, and its indexes are left alone then. */
const update = (sql: SqlClient.SqlClient, moveMany: Move) => {
  const changedIds = Prepared.batch<readonly [id: string, text: number]>(
    sql,
    ["id", ...contentNames],
    (values) => `WITH n (id, ${contentNames.join(", ")}) AS (${values})
      SELECT n.id, issues.title <> n.title OR issues.description IS DISTINCT FROM n.description
      FROM n CROSS JOIN issues ON issues.id = n.id
      WHERE (${prefixed(contentNames, "issues")}) IS DISTINCT FROM (${prefixed(contentNames, "n")})`,
  );
  const updateContent = Prepared.update(sql, "issues", contentNames);
  return Effect.fnUntraced(function* (issues: ReadonlyArray<Issue.IssueRow>) {
    const content = issues.map(IssueColumns.contentColumns);
    const changed = yield* changedIds(content);
    yield* moveMany(issues);
    if (changed.length === 0) return;
    const ids = new Set(changed.map(([id]) => id));
    yield* updateContent(content.filter((columns) => ids.has(columns.id)));
    for (const [id, text] of changed) {
      if (text === 1) yield* SearchIndex.update(sql, id);
    }
  });
};

const remove = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, issueId: string) {
  const [issue] = yield* sql<{
    readonly seq: number;
  }>`SELECT seq FROM issues WHERE id = ${issueId}`;
  if (issue === undefined) return;
  yield* sql`UPDATE issues SET link_count = link_count - n.ends FROM (
      SELECT other, count(*) AS ends FROM (
        SELECT target_id AS other FROM links WHERE source_id = ${issueId}
        UNION ALL SELECT source_id FROM links WHERE target_id = ${issueId}
      ) GROUP BY other
    ) AS n WHERE issues.id = n.other`;
  yield* sql`DELETE FROM links WHERE source_id = ${issueId}`;
  yield* sql`DELETE FROM links WHERE target_id = ${issueId}`;
  yield* sql`INSERT INTO discarded_attachments (id)
    SELECT id FROM attachments WHERE issue_id = ${issueId} ORDER BY seq`;
  yield* sql`DELETE FROM attachments WHERE issue_id = ${issueId}`;
  yield* sql`DELETE FROM comments WHERE issue_id = ${issueId}`;
  yield* sql`DELETE FROM activity WHERE issue_id = ${issueId}`;
  yield* SearchIndex.remove(sql, issue.seq);
  yield* sql`DELETE FROM issues WHERE seq = ${issue.seq}`;
});

const claimable = (sql: SqlClient.SqlClient) => {
  const textOf = (inProjects: string) => `SELECT
      EXISTS (SELECT 1 FROM runs r WHERE r.issue_id = issues.id AND r.status <> 'ended'),
      (SELECT max(c.seq) FROM comments c WHERE c.issue_id = issues.id),
      ${IssueColumns.of()}
    FROM issues
    WHERE assigned_agent_id = ? AND status IN ('Open', 'InProgress') AND paused = 0
      AND ${inProjects}
      AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.issue_id = issues.id
        AND r.status <> 'ended' AND r.lease_expires_at > ?)
      AND (link_count = 0 OR NOT EXISTS (
        SELECT 1 FROM links l CROSS JOIN issues b ON b.id = l.source_id
        WHERE l.target_id = issues.id AND l.relation = 'Blocks'
          AND b.status NOT IN ('Resolved', 'Closed')))
    ORDER BY resumed DESC, priority, seq ${Keyset.limit}`;
  type Columns = readonly [
    abandoned: number,
    commentSeq: number | null,
    ...IssueColumns.IssueColumns,
  ];
  const ofAny = Prepared.query<Columns>(sql, textOf("1 = 1"));
  const ofSome = Prepared.query<Columns>(
    sql,
    textOf("+project_id IN (SELECT value FROM json_each(?))"),
  );
  return (agentId: string, projects: ReadonlyArray<string> | null, limit: number, now: string) =>
    Effect.map(
      projects === null
        ? ofAny(agentId, now, limit)
        : ofSome(agentId, JSON.stringify(projects), now, limit),
      (rows) =>
        rows.map(([abandoned, commentSeq, ...columns]) => ({
          issue: IssueColumns.toRow(columns),
          isAbandoned: abandoned === 1,
          commentSeq: commentSeq ?? 0,
        })),
    );
};

const insert = (sql: SqlClient.SqlClient) => {
  const insertRow = Prepared.insert(sql, "issues");
  return Effect.fnUntraced(function* (issue: Omit<Issue.IssueRow, "seq">) {
    const columns = IssueColumns.toColumns(issue);
    const seq = yield* insertRow([columns]);
    yield* SearchIndex.insert(sql, { ...columns, seq });
    return { ...issue, seq };
  });
};

/** Issues in the present `SqlClient`. */
export const layer: Layer.Layer<IssueStore.IssueStore, never, SqlClient.SqlClient> = Layer.effect(
  IssueStore.IssueStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const insertOne = insert(sql);
    const moveMany = move(sql);
    const updateMany = update(sql, moveMany);
    const findClaimable = claimable(sql);
    const factsOf = IssueFacts.facts(sql);
    return IssueStore.IssueStore.of({
      insert: (issue) => mapped(insertOne(issue)),
      update: (issues) => mapped(updateMany(issues)),
      move: (states) => mapped(Effect.asVoid(moveMany(states))),
      remove: (issueId) => mapped(remove(sql, issueId)),
      get: (issueId) => mapped(IssueFacts.issue(sql, issueId)),
      facts: (issueId, now) => mapped(factsOf(issueId, now)),
      dependents: (issueId, now) => mapped(IssueFacts.dependents(sql, issueId, now)),
      openDependents: (issueId, limit) => mapped(IssueFacts.openDependents(sql, issueId, limit)),
      list: (query, slice) => mapped(IssueList.list(sql, query, slice)),
      claimable: (agentId, projects, limit, now) =>
        mapped(findClaimable(agentId, projects, limit, now)),
    });
  }),
);
