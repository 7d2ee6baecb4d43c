import { RunLogStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import * as Prepared from "../client/Prepared.ts";
import { mapped } from "../client/StorageErrors.ts";
import { clause, limit, list } from "../sql/Clause.ts";
import * as Table from "../sql/Table.ts";

type Sql = SqlClient.SqlClient;

const logs = Table.make<RunLogStore.RunLogRow>("run_logs", (cells, row) => ({
  runId: cells.plain("run_id", row.runId),
  issueId: cells.plain("issue_id", row.issueId),
  entries: cells.plain("entries", row.entries),
  bytes: cells.plain("bytes", row.bytes),
  dropped: cells.plain("dropped", row.dropped),
  opening: cells.plain("opening", row.opening),
  updatedAt: cells.plain("updated_at", row.updatedAt),
  writers: cells.json("writers", row.writers),
}));

const chunks = Table.make<RunLogStore.LogChunk>("run_log_chunks", (cells, row) => ({
  seq: cells.plain("seq", row.seq),
  runId: cells.plain("run_id", row.runId),
  writer: cells.plain("writer", row.writer),
  first: cells.plain("first", row.first),
  last: cells.plain("last", row.last),
  number: cells.plain("number", row.number),
  bytes: cells.plain("bytes", row.bytes),
  lines: cells.json("lines", row.lines),
}));

/** The window is over all chunks of a log, which the index covers. */
const trim = (sql: Sql, runId: string, after: number, bytes: number) =>
  Effect.map(
    Prepared.run<readonly [bytes: number, entries: number]>(
      sql,
      clause`DELETE FROM run_log_chunks WHERE seq IN (
        SELECT seq FROM (
          SELECT seq, sum(bytes) OVER (ORDER BY last) - bytes AS older FROM run_log_chunks
          WHERE run_id = ${runId} AND last > ${after} AND first > ${after}
        ) WHERE older < ${bytes}
      ) RETURNING bytes, last - first + 1`,
    ),
    (removed) => ({
      bytes: removed.reduce((sum, [bytes]) => sum + bytes, 0),
      entries: removed.reduce((sum, [, entries]) => sum + entries, 0),
    }),
  );

const prune = Effect.fnUntraced(function* (sql: Sql, before: string, count: number) {
  const rows = yield* Prepared.run<readonly [runId: string]>(
    sql,
    clause`SELECT run_id FROM run_logs WHERE updated_at < ${before} AND NOT EXISTS (
        SELECT 1 FROM runs WHERE runs.id = run_logs.run_id
          AND (runs.status <> 'ended' OR runs.ended_at >= ${before})
      ) ORDER BY updated_at ${limit(count)}`,
  );
  const ids = list(rows.map(([runId]) => runId));
  yield* Prepared.execute(sql, clause`DELETE FROM run_log_chunks WHERE run_id IN ${ids}`);
  yield* Prepared.execute(sql, clause`DELETE FROM run_logs WHERE run_id IN ${ids}`);
  return rows.length;
});

/** Logs of runs in the current `SqlClient`. */
export const layer: Layer.Layer<RunLogStore.RunLogStore, never, SqlClient.SqlClient> = Layer.effect(
  RunLogStore.RunLogStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const get = Prepared.one(sql, logs, "WHERE run_id = ?");
    const put = Prepared.upsert(sql, logs, ["run_id"]);
    const append = Prepared.insert(sql, chunks);
    const select = Prepared.select(sql, chunks);
    const before = Prepared.one(
      sql,
      chunks,
      "WHERE run_id = ? AND writer = ? AND number < ? ORDER BY number DESC LIMIT 1",
    );
    const number = (text: string) =>
      Effect.map(
        Prepared.query<readonly [value: number | null]>(sql, text)(),
        ([row]) => row?.[0] ?? 0,
      );
    return RunLogStore.RunLogStore.of({
      get: (runId) => mapped(get(runId)),
      put: (row) => mapped(Effect.asVoid(put([row]))),
      append: (chunk) => mapped(Effect.asVoid(append([chunk]))),
      rewrite: ({ bytes, lines, seq }) =>
        mapped(
          Prepared.execute(
            sql,
            clause`UPDATE run_log_chunks SET bytes = ${bytes}, lines = ${JSON.stringify(lines)}
              WHERE seq = ${seq}`,
          ),
        ),
      list: (runId, after, count) =>
        mapped(
          select(clause`WHERE run_id = ${runId} AND last > ${after} ORDER BY last ${limit(count)}`),
        ),
      before: (runId, writer, next) => mapped(before(runId, writer, next)),
      trim: (runId, after, bytes) => mapped(trim(sql, runId, after, bytes)),
      lastSeq: mapped(number("SELECT max(seq) FROM run_log_chunks")),
      changedAfter: (seq) =>
        mapped(
          Effect.map(
            Prepared.run<readonly [runId: string]>(
              sql,
              clause`SELECT DISTINCT run_id FROM run_log_chunks WHERE seq > ${seq}`,
            ),
            (rows) => rows.map(([runId]) => runId),
          ),
        ),
      bytesOf: (runIds) =>
        mapped(
          Effect.map(
            Prepared.run<readonly [runId: string, bytes: number]>(
              sql,
              clause`SELECT run_id, bytes FROM run_logs WHERE run_id IN ${list(runIds)}`,
            ),
            (rows) => new Map(rows),
          ),
        ),
      addNote: ({ at, issueId, note, runId }) =>
        mapped(
          Effect.andThen(
            Prepared.execute(
              sql,
              clause`INSERT INTO run_notes (run_id, issue_id, note, created_at)
                VALUES (${runId}, ${issueId}, ${note}, ${at})`,
            ),
            Prepared.execute(
              sql,
              clause`DELETE FROM run_notes WHERE run_id = ${runId} AND seq <= (
                SELECT seq FROM run_notes WHERE run_id = ${runId} ORDER BY seq DESC LIMIT 1 OFFSET 1000
              )`,
            ),
          ),
        ),
      notes: (runId) =>
        mapped(
          Effect.map(
            Prepared.run<readonly [issueId: string, note: string, at: string]>(
              sql,
              clause`SELECT issue_id, note, created_at FROM run_notes
                WHERE run_id = ${runId} ORDER BY seq`,
            ),
            (rows) => rows.map(([issueId, note, at]) => ({ runId, issueId, note, at })),
          ),
        ),
      totalBytes: mapped(number("SELECT sum(bytes) FROM run_logs")),
      endedFirst: (count) =>
        mapped(
          Effect.map(
            Prepared.run<readonly [runId: string]>(
              sql,
              clause`SELECT run_id FROM run_logs LEFT JOIN runs ON runs.id = run_logs.run_id
                WHERE run_logs.bytes > 0
                ORDER BY runs.status IS NOT NULL AND runs.status <> 'ended', runs.ended_at, run_id
                ${limit(count)}`,
            ),
            (rows) => rows.map(([runId]) => runId),
          ),
        ),
      prune: (time, count) => mapped(prune(sql, time, count)),
    });
  }),
);
