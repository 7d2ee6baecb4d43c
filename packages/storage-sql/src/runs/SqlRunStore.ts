import { type Run, RunStore } from "@quartermaster/core";
import { Effect, Layer, Option } from "effect";
import { SqlClient } from "effect/sql";
import {
  always,
  among,
  beyond,
  type Clause,
  clause,
  limit,
  list,
  ordered,
  raw,
} from "../sql/Clause.ts";
import * as Dialect from "../sql/Dialect.ts";
import * as Locks from "../sql/Locks.ts";
import * as Prepared from "../sql/Prepared.ts";
import { mapped } from "../sql/StorageErrors.ts";
import * as RunTable from "./RunTable.ts";

const statusAt = (status: Run.RunStatus | undefined, now: string) => {
  if (status === undefined) return always;
  return status === "ended"
    ? clause`(status = 'ended' OR lease_expires_at <= ${now})`
    : // `status <> 'ended'` lets SQLite use the index of runs that have not ended.
      clause`status = ${status} AND status <> 'ended' AND lease_expires_at > ${now}`;
};

/** The condition that a run ended at a time or later, also by its lease. */
const endsFrom = (from: string, now: string) =>
  clause`CASE WHEN status = 'ended' THEN ended_at
    WHEN lease_expires_at <= ${now} THEN lease_expires_at END >= ${from}`;

/** The timestamp `seconds` seconds after the expiry of a lease that is renewed at `now`. */
const later = (sql: SqlClient.SqlClient, now: string, seconds: number) =>
  Dialect.either(
    sql,
    clause`strftime('%Y-%m-%dT%H:%M:%fZ', ${now}, (lease_seconds + ${seconds}) || ' seconds')`,
    clause`to_char(
      CAST(${now} AS timestamptz) AT TIME ZONE 'UTC' + make_interval(secs => lease_seconds + ${seconds}),
      'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  );

const shortenLeases = (sql: SqlClient.SqlClient, now: string) => {
  const tooLong = clause`status <> 'ended' AND lease_expires_at > ${later(sql, now, 60)}`;
  return Prepared.count(
    sql,
    clause`UPDATE runs SET lease_expires_at = ${later(sql, now, 0)} WHERE ${Dialect.either(
      sql,
      tooLong,
      // A heartbeat would make an update of all rows run again.
      Locks.batch(sql, "runs", "seq", clause`WHERE ${tooLong} LIMIT 50`),
    )} RETURNING 1`,
  );
};

/** Removes runs with their notes, turns and reports. `which` follows `WHERE`. */
const remove = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, which: Clause) {
  const rows = yield* Prepared.run<readonly [id: string]>(
    sql,
    clause`SELECT id FROM runs WHERE ${which}`,
  );
  const ids = list(rows.map(([id]) => id));
  for (const table of ["run_notes", "run_turns", "usage_reports"]) {
    yield* Prepared.execute(sql, clause`DELETE FROM ${raw(table)} WHERE run_id IN ${ids}`);
  }
  yield* Prepared.execute(sql, clause`DELETE FROM runs WHERE id IN ${ids}`);
  return rows.length;
});

/** Runs in the current `SqlClient`. */
export const layer: Layer.Layer<RunStore.RunStore, never, SqlClient.SqlClient> = Layer.effect(
  RunStore.RunStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const insert = Prepared.append(sql, RunTable.table);
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
      insert: (runs) => mapped(Effect.asVoid(insert(runs))),
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
          Locks.due(
            sql,
            "runs",
            clause`status <> 'ended' AND lease_expires_at <= ${now}`,
            clause`ORDER BY lease_expires_at, seq`,
            count,
            select,
          ),
        ),
      shortenLeases: (now) => mapped(shortenLeases(sql, now)),
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
      list: (
        { agentId, endedFrom, from, issueId, now, outcome, projectId, projects, status, to },
        slice,
      ) =>
        mapped(
          select(clause`WHERE ${beyond(slice)}
            AND ${agentId === undefined ? always : clause`agent_id = ${agentId}`}
            AND ${issueId === undefined ? always : clause`issue_id = ${issueId}`}
            AND ${projectId === undefined ? always : clause`project_id = ${projectId}`}
            AND ${outcome === undefined ? always : clause`outcome = ${outcome}`}
            AND ${from === undefined ? always : clause`started_at >= ${from}`}
            AND ${to === undefined ? always : clause`started_at < ${to}`}
            AND ${endedFrom === undefined ? always : endsFrom(endedFrom, now)}
            AND ${statusAt(status, now)} AND ${among("project_id", projects)} ${ordered(slice)}`),
        ),
      removeIn: (projectId, count) =>
        mapped(
          remove(
            sql,
            clause`project_id = ${projectId}
              AND NOT EXISTS (SELECT 1 FROM issues WHERE issues.id = runs.issue_id)
              ORDER BY seq ${limit(count)}`,
          ),
        ),
      prune: (before, count) =>
        mapped(
          remove(
            sql,
            clause`status = 'ended' AND ended_at < ${before} ORDER BY ended_at ${limit(count)}`,
          ),
        ),
    });
  }),
);
