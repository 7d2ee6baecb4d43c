import type { BriefIssue } from "@quartermaster/core";
import { Effect } from "effect";
import type { SqlClient, SqlError } from "effect/sql";
import { among, clause, raw } from "../sql/Clause.ts";
import * as Prepared from "../sql/Prepared.ts";
import * as IssueTable from "./IssueTable.ts";

type End = "source" | "target";

/** Reads the live runs and counts of issues in one statement. */
export const read = (
  sql: SqlClient.SqlClient,
  issueIds: ReadonlyArray<string>,
  projects: ReadonlyArray<string> | null,
  now: string,
): Effect.Effect<ReadonlyArray<BriefIssue.Surroundings>, SqlError.SqlError> => {
  /** Counts the open issues at the other end of the issue's Blocks links. */
  const open = (own: End, other: End) => clause`
    (SELECT count(*) FROM links l CROSS JOIN issues o ON o.id = l.${raw(other)}_id
      WHERE l.${raw(own)}_id = n.value AND l.relation = 'Blocks'
        AND ${among(`l.${other}_project_id`, projects)} AND ${raw(IssueTable.isOpen("o"))})`;
  return Effect.map(
    Prepared.run<
      readonly [
        index: number,
        number,
        number,
        number,
        runId: string | null,
        agentId: string,
        expiresAt: string,
      ]
    >(
      sql,
      clause`SELECT n.key, ${open("target", "source")}, ${open("source", "target")},
          (SELECT count(*) FROM questions q WHERE q.issue_id = n.value AND q.status = 'open'
            AND (q.expires_at IS NULL OR q.expires_at > ${now})),
          r.id, r.agent_id, r.lease_expires_at
        FROM json_each(${JSON.stringify(issueIds)}) n LEFT JOIN runs r
          ON r.issue_id = n.value AND r.status <> 'ended' AND r.lease_expires_at > ${now}`,
    ),
    (rows) =>
      rows
        .toSorted(([a], [b]) => a - b)
        .map(([, blockedByCount, blocksCount, openQuestions, runId, agentId, leaseExpiresAt]) => ({
          blockedByCount,
          blocksCount,
          openQuestions,
          liveRun: runId === null ? null : { runId, agentId, leaseExpiresAt },
        })),
  );
};
