import { Folding, type Timestamp } from "@quartermaster/core";
import { Effect } from "effect";
import type { SqlClient, SqlError } from "effect/sql";
import { clause, limit, numbers, raw } from "../sql/Clause.ts";
import * as Dialect from "../sql/Dialect.ts";
import * as Locks from "../sql/Locks.ts";
import * as Prepared from "../sql/Prepared.ts";
import * as SearchDocuments from "./SearchDocuments.ts";

/**
 * Indexes all issues again after `Folding` changed. The row of `search_index` has the version of the
 * index, and how far the work is: issues after `position` up to `last` are still to be indexed. An
 * issue that is created or changed is indexed by the new version immediately.
 */

type Sql = SqlClient.SqlClient;

/** The issues of one step: about 20 ms. */
const atOnce = 100;

/** The version of an index without a row: the version that created the table. */
const initial = { version: 1, position: 0, last: 0 };

const read = (sql: Sql, end = raw("")) =>
  Effect.map(
    Prepared.run<readonly [version: number, position: number, last: number]>(
      sql,
      clause`SELECT version, position, last FROM search_index ${end}`,
    ),
    ([row]) => row && { version: row[0], position: row[1], last: row[2] },
  );

/** The time until which the index is complete; null if it has every issue. */
export const asOf = Effect.fnUntraced(function* (
  sql: Sql,
): Effect.fn.Return<Timestamp.Timestamp | null, SqlError.SqlError> {
  const { last, position, version } = (yield* read(sql)) ?? initial;
  const isOlder = version < Folding.version;
  if (!isOlder && position >= last) return null;
  const [row] = yield* Prepared.run<readonly [createdAt: string]>(
    sql,
    clause`SELECT created_at FROM issues WHERE seq > ${isOlder ? 0 : position}
      ORDER BY seq ${limit(1)}`,
  );
  return row?.[0] ?? null;
});

/** Does a step of the work. Returns the number of indexed issues. */
export const step = Effect.fnUntraced(function* (
  sql: Sql,
): Effect.fn.Return<number, SqlError.SqlError> {
  const locked = yield* Locks.passing(sql, (skipping) => read(sql, skipping));
  // Another node works.
  if (locked === undefined && Dialect.isPostgres(sql)) return 0;
  const state = locked ?? initial;
  if (state.version > Folding.version) return 0;
  let { last, position } = state;
  if (state.version < Folding.version) {
    const [row] = yield* Prepared.run<readonly [seq: number]>(
      sql,
      clause`SELECT coalesce(max(seq), 0) FROM issues`,
    );
    position = 0;
    last = row?.[0] ?? 0;
  }
  if (state.version === Folding.version && position >= last) return 0;
  const documents = yield* SearchDocuments.ofIssues(
    sql,
    sql,
    clause`seq > ${position} AND seq <= ${last} ORDER BY seq ${limit(atOnce)}`,
  );
  const seqs = documents.map(([seq]) => seq);
  const chapters = yield* SearchDocuments.ofChapters(
    sql,
    sql,
    clause`chapters.issue_seq IN ${numbers(seqs)}`,
  );
  for (const [table, added] of [
    ["issue_text", documents],
    ["chapter_text", chapters],
  ] as const) {
    if (added.length === 0) continue;
    const rowids = numbers(added.map(([rowid]) => rowid));
    yield* Prepared.execute(sql, clause`DELETE FROM ${raw(table)} WHERE rowid IN ${rowids}`);
    yield* SearchDocuments.insert(sql, table)(added);
  }
  const end = documents.length < atOnce ? last : (seqs.at(-1) ?? last);
  yield* Prepared.execute(
    sql,
    clause`INSERT INTO search_index (id, version, position, last)
      VALUES (1, ${Folding.version}, ${end}, ${last})
      ON CONFLICT (id) DO UPDATE SET version = excluded.version, position = excluded.position,
        last = excluded.last`,
  );
  return documents.length;
});
