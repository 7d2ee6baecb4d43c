import { StatsStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import { clause, limit, list } from "../sql/Clause.ts";
import * as Locks from "../sql/Locks.ts";
import * as Prepared from "../sql/Prepared.ts";
import { mapped } from "../sql/StorageErrors.ts";
import * as Table from "../sql/Table.ts";

const table = Table.make<StatsStore.StatsRow>("stats", (cells, row) => ({
  bucket: cells.plain("bucket", row.bucket),
  kind: cells.plain("kind", row.kind),
  id: cells.plain("id", row.id),
  at: cells.plain("starts_at", row.at),
  counts: cells.json("counts", row.counts),
}));

/** Numbers between 0 and this decide which issues are in a sample. */
const range = 65_536;

const runOf = (data: string): string | null => {
  const { runId } = JSON.parse(data) as { readonly runId?: unknown };
  return typeof runId === "string" ? runId : null;
};

/** The projects that have issues of a status, unless they are given. */
const inProjects = ({ projects, status }: StatsStore.StayingQuery) =>
  projects === null
    ? clause`(SELECT project_id FROM issue_counts WHERE status = ${status} AND count <> 0)`
    : list(projects);

/** Rows of statistics in the current `SqlClient`. */
export const layer: Layer.Layer<StatsStore.StatsStore, never, SqlClient.SqlClient> = Layer.effect(
  StatsStore.StatsStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const select = Prepared.select(sql, table);
    const upsert = Prepared.upsert(sql, table, ["bucket", "kind", "id", "starts_at"]);
    const cursor = Prepared.query<readonly [seq: number]>(
      sql,
      "SELECT seq FROM stats_cursors WHERE source = ?",
    );
    return StatsStore.StatsStore.of({
      cursor: (source) => mapped(Effect.map(cursor(source), ([row]) => row?.[0] ?? 0)),
      list: ({ bucket, from, ids, kind, to }) =>
        mapped(
          select(clause`WHERE bucket = ${bucket} AND kind = ${kind} AND id IN ${list(ids)}
            AND starts_at >= ${from} AND starts_at < ${to}`),
        ),
      put: (source, seq, rows) =>
        mapped(
          Effect.andThen(
            upsert(rows),
            Prepared.execute(
              sql,
              clause`INSERT INTO stats_cursors (source, seq) VALUES (${source}, ${seq})
                ON CONFLICT (source) DO UPDATE SET seq = excluded.seq`,
            ),
          ),
        ),
      staysSince: (ends) =>
        mapped(
          Effect.map(
            Prepared.run<readonly [position: number, since: string | null]>(
              sql,
              clause`SELECT json_each.key, (
                  SELECT created_at FROM activity
                  WHERE issue_id = json_each.value ->> 'issueId'
                    AND kind IN ('created', 'statusChanged')
                    AND created_at < json_each.value ->> 'endedAt'
                  ORDER BY seq DESC LIMIT 1
                )
                FROM json_each(${JSON.stringify(ends)})`,
            ),
            (rows) => {
              const since = new Map(rows);
              return ends.map((_, position) => since.get(position) ?? null);
            },
          ),
        ),
      handIns: (stays) =>
        mapped(
          Effect.map(
            Prepared.run<readonly [position: number, data: string | null]>(
              sql,
              clause`SELECT json_each.key, (
                  SELECT data FROM activity
                  WHERE issue_id = json_each.value ->> 'issueId'
                    AND kind = 'finished'
                    AND created_at = json_each.value ->> 'since'
                  ORDER BY seq DESC LIMIT 1
                )
                FROM json_each(${JSON.stringify(stays)})`,
            ),
            (rows) => {
              const entries = new Map(rows);
              return stays.map((_, position) => runOf(entries.get(position) ?? "{}"));
            },
          ),
        ),
      runs: (ids) =>
        mapped(
          Effect.map(
            Prepared.run<readonly [id: string, agentId: string, startedAt: string]>(
              sql,
              clause`SELECT id, agent_id, started_at FROM runs WHERE id IN ${list(ids)}`,
            ),
            (rows) => rows.map(([id, agentId, startedAt]) => ({ id, agentId, startedAt })),
          ),
        ),
      staying: (query) =>
        mapped(
          Effect.map(
            // The inner query reads an index only.
            Prepared.run<readonly [since: string | null]>(
              sql,
              clause`SELECT (
                  SELECT created_at FROM activity
                  WHERE issue_id = issues.id AND kind IN ('created', 'statusChanged')
                  ORDER BY seq DESC LIMIT 1
                )
                FROM issues WHERE seq IN (
                  SELECT i.seq FROM issues i
                  WHERE i.project_id IN ${inProjects(query)} AND i.status = ${query.status}
                    AND (i.seq * 40503) % ${range} < ${Math.ceil(query.share * range)}
                )`,
            ),
            (rows) => rows.flatMap(([since]) => since ?? []),
          ),
        ),
      prune: (before, count) =>
        mapped(
          Prepared.count(
            sql,
            clause`DELETE FROM stats WHERE ${Locks.batch(
              sql,
              "stats",
              "bucket, kind, id, starts_at",
              clause`WHERE starts_at < ${before} ORDER BY starts_at ${limit(count)}`,
            )} RETURNING 1`,
          ),
        ),
    });
  }),
);
