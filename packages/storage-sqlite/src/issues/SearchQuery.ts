import type { Page } from "@quartermaster/core";
import { Effect } from "effect";
import type { SqlClient, SqlError } from "effect/sql";
import * as Prepared from "../client/Prepared.ts";
import * as Batch from "../sql/Batch.ts";
import { always, beyond, type Clause, clause, list, ordered } from "../sql/Clause.ts";
import { continued, match } from "./SearchIndex.ts";

/**
 * Issues by their words, together with other conditions. A few issues may have the words or meet the
 * conditions, or nearly all may. The smaller set is read first: either the conditions are checked on
 * the issues that have the words, or the words on the issues that meet the conditions. Where both
 * sets are large, so is their intersection, and a scan fills the first page soon.
 */

export interface Search {
  readonly projectId: string;
  readonly words: ReadonlyArray<string>;
  /** More conditions on `issues`, and the first issues that meet them. */
  readonly filter:
    | {
        readonly conditions: Clause;
        readonly first: (limit: number) => Effect.Effect<ReadonlyArray<number>, SqlError.SqlError>;
      }
    | undefined;
}

const few = 1_000;

type Sql = SqlClient.SqlClient;

/** The first column of a statement's rows. */
const seqsOf = (sql: Sql, statement: Clause) =>
  Effect.map(Prepared.run<readonly [seq: number]>(sql, statement), (rows) =>
    rows.map(([seq]) => seq),
  );

/** Issues of several chapters that have all words, each word in any of them. */
const spread = Effect.fnUntraced(function* (
  sql: Sql,
  projectId: string,
  words: ReadonlyArray<string>,
) {
  const long = match(projectId, [continued]);
  const [any] = yield* seqsOf(
    sql,
    clause`SELECT rowid FROM issue_text WHERE issue_text MATCH ${long} LIMIT 1`,
  );
  let found: ReadonlyArray<number> | undefined = any === undefined ? [] : undefined;
  // Long words are rare ones.
  for (const word of words.toSorted((a, b) => b.length - a.length)) {
    if (found?.length === 0) break;
    const having: ReadonlySet<number> = new Set(
      yield* seqsOf(
        sql,
        clause`SELECT rowid FROM issue_text
            WHERE issue_text MATCH ${match(projectId, [continued, word])}
          UNION ALL
          SELECT c.issue_seq FROM chapter_text CROSS JOIN chapters c ON c.seq = chapter_text.rowid
            WHERE chapter_text MATCH ${match(projectId, [word])}`,
      ),
    );
    found = found === undefined ? [...having] : found.filter((seq) => having.has(seq));
  }
  return found ?? [];
});

/** The members of `seqs` that meet the conditions. */
const checked = (
  sql: Sql,
  seqs: ReadonlyArray<number>,
  conditions: Clause | undefined,
  slice: Page.Slice,
) =>
  seqsOf(
    sql,
    clause`SELECT seq FROM issues WHERE seq IN ${list(seqs)}
      AND ${beyond(slice)} AND ${conditions ?? always} ${ordered(slice)}`,
  );

const whole = Effect.fnUntraced(function* (
  sql: Sql,
  { filter, projectId, words }: Search,
  slice: Page.Slice,
) {
  const matching = clause`issue_text MATCH ${match(projectId, words)}`;
  const within = clause`${matching} AND ${beyond(slice, "issue_text.rowid")}`;
  const limit = filter === undefined ? slice.limit : few + 1;
  const matches = yield* seqsOf(
    sql,
    clause`SELECT rowid FROM issue_text WHERE ${within}
      ${ordered({ ...slice, limit }, "issue_text.rowid")}`,
  );
  if (filter === undefined) return matches;
  if (matches.length <= few) return yield* checked(sql, matches, filter.conditions, slice);

  const candidates = yield* filter.first(few + 1);
  if (candidates.length > few) {
    return yield* seqsOf(
      sql,
      clause`SELECT issues.seq FROM issue_text
        CROSS JOIN issues ON issues.seq = issue_text.rowid WHERE ${within} AND ${filter.conditions}
        ${ordered(slice, "issue_text.rowid")}`,
    );
  }
  const found: Array<number> = [];
  for (const chunk of Batch.chunks(candidates)) {
    if (found.length >= slice.limit) break;
    const having = new Set(
      yield* seqsOf(
        sql,
        clause`SELECT rowid FROM issue_text WHERE ${matching} AND rowid IN ${list(chunk)}`,
      ),
    );
    found.push(...chunk.filter((seq) => having.has(seq)));
  }
  return found.slice(0, slice.limit);
});

/** The `seq` of issues that have all words, at most as many as the slice asks for, in its order. */
export const find = Effect.fnUntraced(function* (sql: Sql, search: Search, slice: Page.Slice) {
  const words = [...new Set(search.words)];
  const found = yield* whole(sql, { ...search, words }, slice);
  const long = yield* spread(sql, search.projectId, words);
  if (long.length === 0) return found;
  const more = yield* checked(sql, long, search.filter?.conditions, slice);
  const ascending = [...new Set([...found, ...more])].toSorted((a, b) => a - b);
  return (slice.order === "asc" ? ascending : ascending.toReversed()).slice(0, slice.limit);
});
