import { RunLogStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import { clause, limit, list, raw } from "../sql/Clause.ts";
import * as Dialect from "../sql/Dialect.ts";
import * as Prepared from "../sql/Prepared.ts";
import { mapped } from "../sql/StorageErrors.ts";
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
        ) AS part WHERE older < ${bytes}
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
      ) ORDER BY updated_at ${limit(count)} ${raw(Dialect.skipping(sql))}`,
  );
  const ids = list(rows.map(([runId]) => runId));
  yield* Prepared.execute(sql, clause`DELETE FROM run_log_chunks WHERE run_id IN ${ids}`);
  yield* Prepared.execute(sql, clause`DELETE FROM run_logs WHERE run_id IN ${ids}`);
  return rows.length;
});

/** Removes the rows of a run beyond its newest 1,000. */
const beyondNewest = (table: "run_notes" | "run_turns", runId: string) =>
  clause`DELETE FROM ${raw(table)} WHERE run_id = ${runId} AND seq <= (
    SELECT seq FROM ${raw(table)} WHERE run_id = ${runId} ORDER BY seq DESC LIMIT 1 OFFSET 1000
  )`;

const turns = (sql: Sql, runId: string) =>
  Effect.map(
    Prepared.run<readonly [issueId: string, commentIds: string, at: string]>(
      sql,
      clause`SELECT issue_id, comment_ids, created_at FROM run_turns
        WHERE run_id = ${runId} ORDER BY seq`,
    ),
    (rows) =>
      rows.map(([issueId, commentIds, at]) => ({
        runId,
        issueId,
        commentIds: JSON.parse(commentIds) as ReadonlyArray<string>,
        at,
      })),
  );

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
            Prepared.execute(sql, beyondNewest("run_notes", runId)),
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
      addTurn: ({ at, commentIds, issueId, runId }) =>
        mapped(
          Effect.andThen(
            Prepared.execute(
              sql,
              clause`INSERT INTO run_turns (run_id, issue_id, comment_ids, created_at)
                VALUES (${runId}, ${issueId}, ${JSON.stringify(commentIds)}, ${at})`,
            ),
            Prepared.execute(sql, beyondNewest("run_turns", runId)),
          ),
        ),
      turns: (runId) => mapped(turns(sql, runId)),
      totalBytes: mapped(number("SELECT sum(bytes) FROM run_logs")),
      endedFirst: (count) =>
        mapped(
          Effect.map(
            Prepared.run<readonly [runId: string]>(
              sql,
              clause`SELECT run_id FROM run_logs LEFT JOIN runs ON runs.id = run_logs.run_id
                WHERE run_logs.bytes > 0
                ORDER BY runs.status IS NOT NULL AND runs.status <> 'ended',
                  runs.ended_at NULLS FIRST, run_id
                ${limit(count)}`,
            ),
            (rows) => rows.map(([runId]) => runId),
          ),
        ),
      prune: (time, count) => mapped(prune(sql, time, count)),
    });
  }),
);
