import { type Run, RunStore } from "@quartermaster/core";
import { Effect, Layer, Option } from "effect";
import { SqlClient } from "effect/sql";
import * as Prepared from "../client/Prepared.ts";
import { mapped } from "../client/StorageErrors.ts";
import { always, among, beyond, clause, limit, ordered, raw } from "../sql/Clause.ts";
import * as RunTable from "./RunTable.ts";

const statusAt = (status: Run.RunStatus | undefined, now: string) => {
  if (status === undefined) return always;
  return status === "ended"
    ? clause`(status = 'ended' OR lease_expires_at <= ${now})`
    : // `status <> 'ended'` lets SQLite use the index of runs that have not ended.
      clause`status = ${status} AND status <> 'ended' AND lease_expires_at > ${now}`;
};

/** The timestamp `seconds` seconds after the expiry of a lease that is renewed at `now`. */
const later = (now: string, seconds: number) =>
  clause`strftime('%Y-%m-%dT%H:%M:%fZ', ${now}, (lease_seconds + ${seconds}) || ' seconds')`;

/** Runs in the current `SqlClient`. */
export const layer: Layer.Layer<RunStore.RunStore, never, SqlClient.SqlClient> = Layer.effect(
  RunStore.RunStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const insert = Prepared.insert(sql, RunTable.table);
    const update = Prepared.update(sql, "runs", RunTable.changing);
    const select = Prepared.select(sql, RunTable.table);
    const get = Prepared.one(sql, RunTable.table, "WHERE id = ?");
    const stored = Prepared.query(
      sql,
      `SELECT ${RunTable.table.select()},
         NOT EXISTS (SELECT 1 FROM issues WHERE issues.id = runs.issue_id),
         NOT EXISTS (
           SELECT 1 FROM runs later WHERE later.issue_id = runs.issue_id AND later.seq > runs.seq
         )
       FROM runs WHERE id = ?`,
    );
    const ofIssue = Prepared.one(sql, RunTable.table, "WHERE issue_id = ? AND status <> 'ended'");
    return RunStore.RunStore.of({
      insert: (runs) =>
        mapped(
          Effect.map(insert(runs), (last) =>
            runs.map((run, index) => ({ ...run, seq: last - runs.length + 1 + index })),
          ),
        ),
      update: (runs) => mapped(Effect.asVoid(update(runs))),
      get: (runId) => mapped(get(runId)),
      stored: (runId) =>
        mapped(
          Effect.map(stored(runId), ([cells]) =>
            cells === undefined
              ? Option.none()
              : Option.some({
                  run: RunTable.table.toRow(cells),
                  isIssueDeleted: cells.at(-2) === 1,
                  isLatest: cells.at(-1) === 1,
                }),
          ),
        ),
      notEnded: (agentId) =>
        mapped(select(clause`WHERE agent_id = ${agentId} AND status <> 'ended' ORDER BY seq`)),
      ofWorker: (agentId, worker) =>
        mapped(
          select(clause`WHERE worker = ${worker} AND agent_id = ${agentId} ORDER BY seq DESC`),
        ),
      notEndedIn: (projectId) =>
        mapped(select(clause`WHERE status <> 'ended' AND project_id = ${projectId} ORDER BY seq`)),
      expired: (now, count) =>
        mapped(
          select(clause`WHERE status <> 'ended' AND lease_expires_at <= ${now}
            ORDER BY lease_expires_at, seq ${limit(count)}`),
        ),
      shortenLeases: (now) =>
        mapped(
          Prepared.count(
            sql,
            clause`UPDATE runs SET lease_expires_at = ${later(now, 0)}
              WHERE status <> 'ended' AND lease_expires_at > ${later(now, 60)} RETURNING 1`,
          ),
        ),
      ofIssue: (issueId) => mapped(ofIssue(issueId)),
      hasOther: ({ agentId, id, issueId }) =>
        mapped(
          Effect.map(
            Prepared.count(
              sql,
              clause`SELECT 1 FROM runs
                WHERE issue_id = ${issueId} AND agent_id = ${agentId} AND id <> ${id} LIMIT 1`,
            ),
            (rows) => rows > 0,
          ),
        ),
      list: ({ agentId, from, issueId, now, outcome, projectId, projects, status, to }, slice) =>
        mapped(
          select(clause`WHERE ${beyond(slice)}
            AND ${agentId === undefined ? always : clause`agent_id = ${agentId}`}
            AND ${issueId === undefined ? always : clause`issue_id = ${issueId}`}
            AND ${projectId === undefined ? always : clause`project_id = ${projectId}`}
            AND ${outcome === undefined ? always : clause`outcome = ${outcome}`}
            AND ${from === undefined ? always : clause`started_at >= ${from}`}
            AND ${to === undefined ? always : clause`started_at < ${to}`}
            AND ${statusAt(status, now)} AND ${among("project_id", projects)} ${ordered(slice)}`),
        ),
      prune: (before, count) =>
        mapped(
          Effect.andThen(
            Effect.forEach(
              ["run_notes", "usage_reports"],
              (table) =>
                Prepared.execute(
                  sql,
                  clause`DELETE FROM ${raw(table)} WHERE run_id IN (
                    SELECT id FROM runs WHERE status = 'ended' AND ended_at < ${before}
                    ORDER BY ended_at ${limit(count)}
                  )`,
                ),
              { discard: true },
            ),
            Prepared.count(
              sql,
              clause`DELETE FROM runs WHERE seq IN (
                SELECT seq FROM runs WHERE status = 'ended' AND ended_at < ${before}
                ORDER BY ended_at ${limit(count)}
              ) RETURNING 1`,
            ),
          ),
        ),
    });
  }),
);
