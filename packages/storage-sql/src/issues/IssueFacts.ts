import { type IssueStore, Run } from "@quartermaster/core";
import { Effect, Option } from "effect";
import type { SqlClient, SqlError } from "effect/sql";
import * as RunTable from "../runs/RunTable.ts";
import { clause, limit, raw } from "../sql/Clause.ts";
import * as Prepared from "../sql/Prepared.ts";
import * as IssueTable from "./IssueTable.ts";
import * as QuestionTable from "./QuestionTable.ts";

/** Facts about an issue and its neighbors, as input of the rules. */

type Sql = SqlClient.SqlClient;
type Ref = readonly [id: string, projectId: string];

const toRefs = (rows: ReadonlyArray<Ref>): ReadonlyArray<IssueStore.IssueRef> =>
  rows.map(([id, projectId]) => ({ id, projectId }));

/** The condition that an open blocker links to the issue with the given id. */
export const openBlockers = (targetId: string): string =>
  `FROM links l CROSS JOIN issues b ON b.id = l.source_id
    WHERE l.target_id = ${targetId} AND l.relation = 'Blocks' AND ${IssueTable.isOpen("b")}`;

/** The condition that the agent, given by a parameter or a column, is paused. */
export const agentPaused = (agentId: string): string =>
  `EXISTS (SELECT 1 FROM agents a WHERE a.id = ${agentId} AND a.paused = 1 /* OFFSET 0 */)`;

/** The condition that the project, given by a parameter or a column, is paused. */
export const projectPaused = (projectId: string): string =>
  `EXISTS (SELECT 1 FROM paused_projects p WHERE p.project_id = ${projectId} /* OFFSET 0 */)`;

/** The condition that a run holds the issue at the time of the parameter. */
export const heldBy = (issueId: string): string =>
  `EXISTS (SELECT 1 FROM runs r WHERE r.issue_id = ${issueId}
    AND r.status <> 'ended' AND r.lease_expires_at > ? /* OFFSET 0 */)`;

export const facts = (sql: Sql) => {
  const { select, toRow, width } = IssueTable.table;
  const flags = 5;
  const get = Prepared.query<
    readonly [
      agentPaused: number,
      projectPaused: number,
      callUntil: string | null,
      questions: number,
      runId: string | null,
      ...Array<unknown>,
    ]
  >(
    sql,
    `SELECT ${agentPaused("issues.assigned_agent_id")}, ${projectPaused("issues.project_id")},
      (SELECT max(until) FROM admitted_calls c WHERE c.issue_id = issues.id),
      EXISTS (SELECT 1 FROM questions q WHERE q.issue_id = issues.id AND q.status = 'open'
        /* OFFSET 0 */),
      r.id, ${select()}, ${RunTable.table.select("r")}
    FROM issues LEFT JOIN runs r ON r.issue_id = issues.id AND r.status <> 'ended'
    WHERE issues.id = ?`,
  );
  const blockers = Prepared.query<Ref>(
    sql,
    `SELECT b.id, b.project_id ${openBlockers("?")} ORDER BY l.seq LIMIT 100`,
  );
  const questions = QuestionTable.open(sql);
  return Effect.fnUntraced(function* (issueId: string, now: string) {
    const [cells] = yield* get(issueId);
    if (cells === undefined) return Option.none<IssueStore.IssueFacts>();
    const issue = toRow(cells, flags);
    const run = cells[4] === null ? null : RunTable.table.toRow(cells, flags + width);
    const isLive = run !== null && Run.isLive(run, now);
    return Option.some<IssueStore.IssueFacts>({
      issue,
      openBlockers: issue.linkCount === 0 ? [] : toRefs(yield* blockers(issueId)),
      liveRun: isLive ? run : null,
      expiredRun: isLive ? null : run,
      agentPaused: cells[0] === 1,
      projectPaused: cells[1] === 1,
      callUntil: cells[2],
      openQuestions: cells[3] === 1 ? yield* questions(issueId) : [],
    });
  });
};

export const dependents = (sql: Sql) => {
  const query = Prepared.query<readonly [blocked: number, live: number, ...Array<unknown>]>(
    sql,
    `SELECT EXISTS (SELECT 1 ${openBlockers("d.id")} AND l.source_id <> ?), ${heldBy("d.id")},
      ${IssueTable.state.select("d")}
    FROM links own CROSS JOIN issues d ON d.id = own.target_id
    WHERE own.source_id = ? AND own.relation = 'Blocks'
    ORDER BY own.seq`,
  );
  return (
    issueId: string,
    now: string,
  ): Effect.Effect<ReadonlyArray<IssueStore.DependentFacts>, SqlError.SqlError> =>
    Effect.map(query(issueId, now, issueId), (rows) =>
      rows.map((cells) => ({
        issue: IssueTable.state.toRow(cells, 2),
        otherOpenBlocker: cells[0] === 1,
        live: cells[1] === 1,
      })),
    );
};

export const openDependents = (sql: Sql, issueId: string, count: number) =>
  Effect.map(
    Prepared.run<Ref>(
      sql,
      clause`SELECT d.id, d.project_id FROM links l CROSS JOIN issues d ON d.id = l.target_id
        WHERE l.source_id = ${issueId} AND l.relation = 'Blocks' AND ${raw(IssueTable.isOpen("d"))}
        ORDER BY l.seq ${limit(count)}`,
    ),
    toRefs,
  );
