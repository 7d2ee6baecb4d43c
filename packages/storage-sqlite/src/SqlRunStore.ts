import { Effect, Layer, Option } from "effect";
import { type Page, type Run, RunStore } from "@quartermaster/core";
import { SqlClient } from "effect/sql";
import * as Batch from "./Batch.ts";
import * as Keyset from "./Keyset.ts";
import * as RunColumns from "./RunColumns.ts";
import { mapped } from "./StorageErrors.ts";

type Sql = SqlClient.SqlClient;
type Columns = RunColumns.RunColumns;

const first = (rows: ReadonlyArray<Columns>) =>
  Option.map(Option.fromNullishOr(rows[0]), RunColumns.toRow);
const all = (rows: ReadonlyArray<Columns>) => rows.map(RunColumns.toRow);

const insert = Effect.fnUntraced(function* (
  sql: Sql,
  runs: ReadonlyArray<Omit<Run.RunRow, "seq">>,
) {
  if (runs.length === 0) return [];
  const rows = yield* sql<Columns>`
    ${Batch.insert(sql, "runs", runs.map(RunColumns.toColumns))} RETURNING id, seq`;
  const seqs = new Map(rows.map((row) => [row.id, row.seq]));
  return runs.map((run) => ({ ...run, seq: seqs.get(run.id) ?? 0 }));
});

const update = Effect.fnUntraced(function* (sql: Sql, runs: ReadonlyArray<Run.RunRow>) {
  for (const chunk of Batch.chunks(runs)) {
    const rows = chunk.map(RunColumns.toColumns);
    yield* sql`WITH n (${Batch.columns(rows)}) AS (${Batch.values(rows)})
      UPDATE runs SET ${Batch.assignments(rows, "n")} FROM n WHERE runs.id = n.id`;
  }
});

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
    sql<Columns>`SELECT * FROM runs WHERE agent_id = ${query.agentId}
      AND ${Keyset.beyond(sql, slice)}
      AND ${statusAt(sql, query.status, query.now)}
      AND ${
        query.projects === null ? sql`1 = 1` : sql`project_id IN ${Batch.list(sql, query.projects)}`
      }
      ${Keyset.ordered(sql, slice)}`,
    all,
  );

/** Runs in the present `SqlClient`. */
export const layer: Layer.Layer<RunStore.RunStore, never, SqlClient.SqlClient> = Layer.effect(
  RunStore.RunStore,
  Effect.map(SqlClient.SqlClient, (sql) =>
    RunStore.RunStore.of({
      insert: (runs) => mapped(insert(sql, runs)),
      update: (runs) => mapped(update(sql, runs)),
      get: (runId) =>
        mapped(Effect.map(sql<Columns>`SELECT * FROM runs WHERE id = ${runId}`, first)),
      notEnded: (agentId) =>
        mapped(
          Effect.map(
            sql<Columns>`SELECT * FROM runs
              WHERE agent_id = ${agentId} AND status <> 'ended' ORDER BY seq`,
            all,
          ),
        ),
      expired: (now, limit) =>
        mapped(
          Effect.map(
            sql<Columns>`SELECT * FROM runs
              WHERE status <> 'ended' AND lease_expires_at <= ${now}
              ORDER BY lease_expires_at, seq LIMIT ${limit}`,
            all,
          ),
        ),
      ofIssue: (issueId) =>
        mapped(
          Effect.map(
            sql<Columns>`SELECT * FROM runs WHERE issue_id = ${issueId} AND status <> 'ended'`,
            first,
          ),
        ),
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
    }),
  ),
);
