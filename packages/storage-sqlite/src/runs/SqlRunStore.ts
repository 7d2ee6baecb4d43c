import { Effect, Layer, Option } from "effect";
import { type Page, type Run, RunStore } from "@quartermaster/core";
import { SqlClient, type SqlError } from "effect/sql";
import * as Batch from "../sql/Batch.ts";
import * as Keyset from "../sql/Keyset.ts";
import * as Prepared from "../client/Prepared.ts";
import * as RunColumns from "./RunColumns.ts";
import { mapped } from "../client/StorageErrors.ts";

type Sql = SqlClient.SqlClient;
type Columns = RunColumns.RunColumns;

const all = (rows: ReadonlyArray<Columns>) => rows.map(RunColumns.toRow);

const statusAt = (sql: Sql, status: Run.RunStatus | undefined, now: string) => {
  if (status === undefined) return sql`1 = 1`;
  return status === "ended"
    ? sql`(status = 'ended' OR lease_expires_at <= ${now})`
    : // Said twice: so it is seen to be among those of the index of runs that have not ended.
      sql`status = ${status} AND status <> 'ended' AND lease_expires_at > ${now}`;
};

const list = (
  sql: Sql,
  query: {
    readonly agentId: string;
    readonly status?: Run.RunStatus | undefined;
    readonly projects: ReadonlyArray<string> | null;
    readonly now: string;
  },
  slice: Page.Slice,
) =>
  Effect.map(
    sql`SELECT ${sql.literal(RunColumns.all)} FROM runs WHERE agent_id = ${query.agentId}
      AND ${Keyset.beyond(sql, slice)}
      AND ${statusAt(sql, query.status, query.now)}
      AND ${
        query.projects === null ? sql`1 = 1` : sql`project_id IN ${Batch.list(sql, query.projects)}`
      }
      ${Keyset.ordered(sql, slice)}`.values as Effect.Effect<
      ReadonlyArray<Columns>,
      SqlError.SqlError
    >,
    all,
  );

const select = `SELECT ${RunColumns.all} FROM runs`;

/** Runs in the present `SqlClient`. */
export const layer: Layer.Layer<RunStore.RunStore, never, SqlClient.SqlClient> = Layer.effect(
  RunStore.RunStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const insert = Prepared.insert(sql, "runs");
    const update = Prepared.update(sql, "runs", RunColumns.names);
    const get = Prepared.one<Columns>(sql, `${select} WHERE id = ?`);
    const ofIssue = Prepared.one<Columns>(
      sql,
      `${select} WHERE issue_id = ? AND status <> 'ended'`,
    );
    const notEnded = Prepared.query<Columns>(
      sql,
      `${select} WHERE agent_id = ? AND status <> 'ended' ORDER BY seq`,
    );
    const expired = Prepared.query<Columns>(
      sql,
      `${select} WHERE status <> 'ended' AND lease_expires_at <= ?
        ORDER BY lease_expires_at, seq ${Keyset.limit}`,
    );
    return RunStore.RunStore.of({
      insert: (runs) =>
        mapped(
          Effect.map(insert(runs.map(RunColumns.toColumns)), (last) =>
            runs.map((run, index) => ({ ...run, seq: last - runs.length + 1 + index })),
          ),
        ),
      update: (runs) => mapped(Effect.asVoid(update(runs.map(RunColumns.toColumns)))),
      get: (runId) => mapped(Effect.map(get(runId), Option.map(RunColumns.toRow))),
      notEnded: (agentId) => mapped(Effect.map(notEnded(agentId), all)),
      expired: (now, limit) => mapped(Effect.map(expired(now, limit), all)),
      ofIssue: (issueId) => mapped(Effect.map(ofIssue(issueId), Option.map(RunColumns.toRow))),
      list: (query, slice) => mapped(list(sql, query, slice)),
      prune: (before, limit) =>
        mapped(
          Effect.map(
            sql`DELETE FROM runs WHERE seq IN (
              SELECT seq FROM runs WHERE status = 'ended' AND ended_at < ${before}
              ORDER BY ended_at LIMIT ${limit}
            ) RETURNING 1`,
            (rows) => rows.length,
          ),
        ),
    });
  }),
);
