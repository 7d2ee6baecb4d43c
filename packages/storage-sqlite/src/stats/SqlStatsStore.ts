import { StatsStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import * as Prepared from "../client/Prepared.ts";
import { mapped } from "../client/StorageErrors.ts";
import { clause, limit, list } from "../sql/Clause.ts";
import * as Table from "../sql/Table.ts";

const table = Table.make<StatsStore.StatsRow>("stats", (cells, row) => ({
  bucket: cells.plain("bucket", row.bucket),
  kind: cells.plain("kind", row.kind),
  id: cells.plain("id", row.id),
  at: cells.plain("starts_at", row.at),
  counts: cells.json("counts", row.counts),
}));

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
      prune: (before, count) =>
        mapped(
          Prepared.count(
            sql,
            clause`DELETE FROM stats WHERE rowid IN (
              SELECT rowid FROM stats WHERE starts_at < ${before}
              ORDER BY starts_at ${limit(count)}
            ) RETURNING 1`,
          ),
        ),
    });
  }),
);
