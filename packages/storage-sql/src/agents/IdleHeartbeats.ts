import type { AgentStore } from "@quartermaster/core";
import { Effect } from "effect";
import type { SqlClient } from "effect/sql";
import * as ClaimRule from "../issues/ClaimRule.ts";
import { among, clause, list } from "../sql/Clause.ts";
import * as Dialect from "../sql/Dialect.ts";
import * as Grouping from "../sql/Grouping.ts";
import * as Prepared from "../sql/Prepared.ts";

/**
 * Heartbeats with nothing to do. On PostgreSQL, heartbeats that arrive while a statement runs share the next one:
 * 64 at a time take 0.02 statements each instead of 1, and a tenth of the processor time of the node.
 */

type Projects = ReadonlyArray<string> | null;

interface Beat {
  readonly agentId: string;
  readonly now: string;
}

/** Agents of one statement. */
const most = 500;
/** Lists of projects with heartbeats of their own. Keys of agents rarely have more. */
const mostLists = 1_000;

/**
 * The latest time counts for all, which only makes more agents busy: a busy one gets a transaction. A row that
 * another change holds is passed over, so that two groups cannot wait for each other. The inner query of issues is
 * for the planner, which otherwise may check the rule on all issues of a small table.
 */
const idle = (projects: Projects, agentIds: ReadonlyArray<string>, now: string) => {
  const free = { text: ClaimRule.free, params: ClaimRule.params(now) };
  return clause`WITH idle AS MATERIALIZED (
      SELECT id FROM agents WHERE id IN ${list(agentIds)} AND halted IS NULL
        AND NOT EXISTS (SELECT 1 FROM runs
          WHERE agent_id = agents.id AND status <> 'ended' /* OFFSET 0 */)
        AND NOT EXISTS (SELECT 1 FROM (
            SELECT * FROM issues WHERE assigned_agent_id = agents.id
              AND status IN ('Open', 'InProgress') AND paused_because IS NULL /* OFFSET 0 */
          ) AS issues
          WHERE ${among("project_id", projects)} AND ${free} /* OFFSET 0 */)
      ORDER BY id FOR NO KEY UPDATE OF agents SKIP LOCKED
    )
    UPDATE agents SET last_heartbeat_at = ${now} WHERE id = ANY (ARRAY(SELECT id FROM idle))
    RETURNING id`;
};

const grouped = (sql: SqlClient.SqlClient, projects: Projects) =>
  Grouping.make((beats: ReadonlyArray<Beat>) => {
    const now = beats.reduce((latest, beat) => (beat.now > latest ? beat.now : latest), "");
    const agentIds = beats.map((beat) => beat.agentId);
    return Prepared.alone(sql, idle(projects, agentIds, now)).pipe(
      Effect.map((rows) => new Set(rows.map(([id]) => id))),
      // The transaction that follows may run again.
      Effect.orElseSucceed(() => new Set<unknown>()),
      Effect.map((stored) => agentIds.map((id) => stored.has(id))),
    );
  }, most);

/** SQLite returns false: its transactions take no round trips. */
export const make = (
  sql: SqlClient.SqlClient,
): AgentStore.AgentStore["Service"]["idleHeartbeat"] => {
  if (!Dialect.isPostgres(sql)) return () => Effect.succeed(false);
  const ofAny = grouped(sql, null);
  const ofSome = new Map<string, typeof ofAny>();
  const inProjects = (projects: ReadonlyArray<string>) => {
    const key = JSON.stringify(projects);
    const known = ofSome.get(key);
    if (known !== undefined) return known;
    if (ofSome.size >= mostLists) ofSome.clear();
    const made = grouped(sql, projects);
    ofSome.set(key, made);
    return made;
  };
  return (agentId, projects, now) =>
    Effect.suspend(() =>
      projects === null ? ofAny({ agentId, now }) : inProjects(projects)({ agentId, now }),
    );
};
