import { type Issue, IssueStore } from "@quartermaster/core";
import { Effect, Layer, Option } from "effect";
import { SqlClient, type SqlError } from "effect/sql";
import { among, clause } from "../sql/Clause.ts";
import * as Locks from "../sql/Locks.ts";
import * as Prepared from "../sql/Prepared.ts";
import { mapped } from "../sql/StorageErrors.ts";
import * as ClaimRule from "./ClaimRule.ts";
import * as IssueCounts from "./IssueCounts.ts";
import * as IssueFacts from "./IssueFacts.ts";
import * as IssueInsertion from "./IssueInsertion.ts";
import * as IssueList from "./IssueList.ts";
import { IssueNumbers } from "./IssueNumbers.ts";
import * as IssueRelocation from "./IssueRelocation.ts";
import * as IssueSearch from "./IssueSearch.ts";
import * as IssueSurroundings from "./IssueSurroundings.ts";
import * as IssueTable from "./IssueTable.ts";
import * as QuestionTable from "./QuestionTable.ts";
import * as SearchIndex from "./SearchIndex.ts";
import * as SearchRebuild from "./SearchRebuild.ts";

type Sql = SqlClient.SqlClient;
type Move = (states: ReadonlyArray<Issue.IssueState>) => Effect.Effect<unknown, SqlError.SqlError>;

/**
 * Writes content only if it differs: content rarely changes, and its indexes then need no update.
 */
const update = (sql: Sql, move: Move) => {
  const { columns, toCells } = IssueTable.content;
  const of = (alias: string) => columns.map((column) => `${alias}.${column}`).join(", ");
  const changedIds = Prepared.batch<readonly [id: string, text: number]>(
    sql,
    "issues",
    ["id", ...columns],
    (values) => `WITH n (id, ${columns.join(", ")}) AS (${values})
      SELECT n.id, issues.title <> n.title OR issues.description IS DISTINCT FROM n.description
        OR issues.labels <> n.labels
      FROM n CROSS JOIN issues ON issues.id = n.id
      WHERE (${of("issues")}) IS DISTINCT FROM (${of("n")})`,
  );
  const updateContent = Prepared.update(sql, "issues", IssueTable.content);
  return Effect.fnUntraced(function* (issues: ReadonlyArray<Issue.IssueRow>) {
    const changed = yield* changedIds(issues.map(toCells));
    yield* move(issues);
    if (changed.length === 0) return;
    const ids = new Set(changed.map(([id]) => id));
    yield* updateContent(issues.filter(({ id }) => ids.has(id)));
    for (const [id, text] of changed) {
      if (text === 1) yield* SearchIndex.update(sql, id);
    }
  });
};

const remove = Effect.fnUntraced(function* (sql: Sql, issueId: string) {
  const [issue] = yield* Prepared.run<readonly [seq: number]>(
    sql,
    clause`SELECT seq FROM issues WHERE id = ${issueId}`,
  );
  if (issue === undefined) return;
  const [seq] = issue;
  for (const statement of [
    clause`UPDATE issues SET link_count = link_count - n.ends, blocks = blocks - n.blocked FROM (
        SELECT other, count(*) AS ends, sum(blocks) AS blocked FROM (
          SELECT target_id AS other, 0 AS blocks FROM links WHERE source_id = ${issueId}
          UNION ALL SELECT source_id, CASE WHEN relation = 'Blocks' THEN 1 ELSE 0 END
            FROM links WHERE target_id = ${issueId}
        ) AS ends GROUP BY other
      ) AS n WHERE issues.id = n.other`,
    clause`DELETE FROM links WHERE source_id = ${issueId}`,
    clause`DELETE FROM links WHERE target_id = ${issueId}`,
    clause`INSERT INTO discarded_attachments (id)
      SELECT id FROM attachments WHERE issue_id = ${issueId} ORDER BY seq`,
    clause`DELETE FROM attachments WHERE issue_id = ${issueId}`,
    clause`DELETE FROM comments WHERE issue_id = ${issueId}`,
    clause`DELETE FROM versions WHERE issue_id = ${issueId}`,
    clause`DELETE FROM mentions WHERE issue_id = ${issueId}`,
    clause`DELETE FROM snoozes WHERE item_id = ${issueId}
      OR item_id IN (SELECT id FROM questions WHERE issue_id = ${issueId})`,
    clause`DELETE FROM questions WHERE issue_id = ${issueId}`,
    clause`DELETE FROM activity WHERE issue_id = ${issueId}`,
    clause`DELETE FROM run_log_chunks
      WHERE run_id IN (SELECT run_id FROM run_logs WHERE issue_id = ${issueId})`,
    clause`DELETE FROM run_logs WHERE issue_id = ${issueId}`,
    clause`DELETE FROM run_notes WHERE issue_id = ${issueId}`,
    clause`DELETE FROM run_turns WHERE issue_id = ${issueId}`,
    clause`DELETE FROM call_bodies WHERE issue_id = ${issueId}`,
    clause`DELETE FROM effects WHERE issue_id = ${issueId}`,
    clause`DELETE FROM effect_issues WHERE issue_id = ${issueId}`,
    clause`UPDATE runs SET note = NULL WHERE issue_id = ${issueId}`,
    clause`DELETE FROM former_numbers WHERE issue_id = ${issueId}`,
  ]) {
    yield* Prepared.execute(sql, statement);
  }
  yield* SearchIndex.remove(sql, seq);
  yield* Prepared.execute(sql, clause`DELETE FROM issues WHERE seq = ${seq}`);
});

/** The issues that an agent may claim, in claim order. The claim reads and decides in one step. */
const claimable = (sql: Sql) => {
  const { select, toRow } = IssueTable.table;
  const textOf = (inProjects: string) => `SELECT
      EXISTS (SELECT 1 FROM runs r WHERE r.issue_id = issues.id AND r.status <> 'ended'),
      (SELECT max(c.seq) FROM comments c WHERE c.issue_id = issues.id),
      (SELECT max(v.seq) FROM versions v WHERE v.issue_id = issues.id),
      EXISTS (SELECT 1 FROM questions q WHERE q.issue_id = issues.id),
      EXISTS (SELECT 1 FROM effects e WHERE e.issue_id = issues.id),
      ${select()}
    FROM issues
    WHERE assigned_agent_id = ? AND NOT ${IssueFacts.agentPaused("?")} AND ${inProjects}
      AND ${ClaimRule.free}
    ORDER BY resumed DESC, priority, seq LIMIT ? + 0 `;
  type Columns = readonly [
    abandoned: number,
    commentSeq: number | null,
    versionSeq: number | null,
    questions: number,
    effects: number,
    ...Array<unknown>,
  ];
  const ofAny = textOf("1 = 1");
  const ofSome = textOf("+project_id IN (SELECT value FROM json_each(?))");
  // All of them are claimed. A heartbeat waits for no other change of an issue.
  const run = (text: string, ...params: ReadonlyArray<string | number>) =>
    Locks.passing(sql, (skipping) =>
      Prepared.run<Columns>(sql, { text: text + skipping.text, params }),
    );
  return (agentId: string, projects: ReadonlyArray<string> | null, count: number, now: string) =>
    Effect.map(
      projects === null
        ? run(ofAny, agentId, agentId, ...ClaimRule.params(now), count)
        : run(ofSome, agentId, agentId, JSON.stringify(projects), ...ClaimRule.params(now), count),
      (rows) =>
        rows.map((cells) => ({
          issue: toRow(cells, 5),
          isAbandoned: cells[0] === 1,
          commentSeq: cells[1] ?? 0,
          versionSeq: cells[2] ?? 0,
          hasQuestions: cells[3] === 1,
          hasEffects: cells[4] === 1,
        })),
    );
};

/** Issues in the current `SqlClient`. */
export const layer: Layer.Layer<IssueStore.IssueStore, never, IssueNumbers | SqlClient.SqlClient> =
  Layer.effect(
    IssueStore.IssueStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient;
      const numbers = yield* IssueNumbers;
      const insertOne = IssueInsertion.make(sql, numbers);
      const move: Move = Prepared.update(sql, "issues", IssueTable.lifecycle);
      const updateMany = update(sql, move);
      const get = Prepared.one(sql, IssueTable.table, "WHERE id = ?");
      const idOfExternalRef = Prepared.query<readonly [id: string]>(
        sql,
        "SELECT id FROM issues WHERE external_ref = ? AND project_id = ?",
      );
      const ofKey = Prepared.query<readonly [id: string, projectId: string]>(
        sql,
        `SELECT issues.id, issues.project_id FROM project_prefixes
        JOIN issues ON issues.project_id = project_prefixes.project_id
        WHERE project_prefixes.prefix = ? AND issues.number = ? AND issues.number > 0
        UNION ALL SELECT issues.id, issues.project_id FROM project_prefixes
        JOIN former_numbers ON former_numbers.project_id = project_prefixes.project_id
        JOIN issues ON issues.id = former_numbers.issue_id
        WHERE project_prefixes.prefix = ? AND former_numbers.number = ?`,
      );
      const findClaimable = claimable(sql);
      const facts = IssueFacts.facts(sql);
      const dependents = IssueFacts.dependents(sql);
      return IssueStore.IssueStore.of({
        insert: (issue) => mapped(insertOne(issue)),
        update: (issues) => mapped(updateMany(issues)),
        relocate: (issue, project) =>
          mapped(IssueRelocation.relocate(sql, numbers, issue, project)),
        move: (states) => mapped(Effect.asVoid(move(states))),
        remove: (issueId) => mapped(remove(sql, issueId)),
        get: (issueId) => mapped(get(issueId)),
        ofKey: (prefix, number) =>
          mapped(
            Effect.map(ofKey(prefix, number, prefix, number), ([row]) =>
              row === undefined ? Option.none() : Option.some({ id: row[0], projectId: row[1] }),
            ),
          ),
        idOfExternalRef: (projectId, externalRef) =>
          mapped(
            Effect.map(idOfExternalRef(externalRef, projectId), ([row]) =>
              Option.fromNullishOr(row?.[0]),
            ),
          ),
        facts: (issueId, now) => mapped(facts(issueId, now)),
        dependents: (issueId, now) => mapped(dependents(issueId, now)),
        openDependents: (issueId, count) => mapped(IssueFacts.openDependents(sql, issueId, count)),
        surroundings: (issueIds, projects, now) =>
          mapped(IssueSurroundings.read(sql, issueIds, projects, now)),
        countByStatus: (projects) => mapped(IssueCounts.byStatus(sql, projects)),
        list: (query, slice) => mapped(IssueList.list(sql, query, slice)),
        listAcross: (query, slice) => mapped(IssueList.across(sql, query, slice)),
        search: (query, slice) => mapped(IssueSearch.search(sql, query, slice)),
        texts: (issues) => mapped(IssueSearch.texts(sql, issues)),
        indexOlder: mapped(SearchRebuild.step(sql)),
        deferredUntil: (agentId, projects, now) =>
          mapped(
            Effect.map(
              Prepared.run<readonly [until: string | null]>(
                sql,
                clause`SELECT min(not_before) FROM issues
                WHERE assigned_agent_id = ${agentId} AND status IN ('Open', 'InProgress')
                  AND paused_because IS NULL AND not_before > ${now}
                  AND ${among("+project_id", projects)}`,
              ),
              ([row]) => Option.fromNullishOr(row?.[0]),
            ),
          ),
        isAwaiting: (agentId, projects, now) =>
          mapped(
            Effect.map(
              Prepared.count(
                sql,
                clause`SELECT 1 FROM issues
                WHERE assigned_agent_id = ${agentId} AND status IN ('Open', 'InProgress')
                  AND paused_because IS NULL AND ${among("+project_id", projects)}
                  AND ${QuestionTable.awaitedBy("issues.id", now)} LIMIT 1`,
              ),
              (count) => count > 0,
            ),
          ),
        claimable: (agentId, projects, count, now) =>
          mapped(findClaimable(agentId, projects, count, now)),
      });
    }),
  );
