import { Effect } from "effect";
import type { Page } from "@quartermaster/core";
import type { SqlClient, SqlError, Statement } from "effect/sql";
import * as Batch from "../sql/Batch.ts";
import * as Keyset from "../sql/Keyset.ts";
import { continued, match } from "./SearchIndex.ts";

/**
 * SQLite alone: issues by their words, together with other conditions. Words, and conditions, may
 * each be met by a few issues or by nearly all, and the few decide how it is done: whether the
 * conditions are judged on what has the words, or the words asked of what meets the conditions.
 * Where both are met by many, so are both at once, and the first page is soon full.
 */

export interface Search {
  readonly projectId: string;
  readonly words: ReadonlyArray<string>;
  /** Further conditions on `issues`, and at most so many of those that meet them. */
  readonly filter:
    | {
        readonly conditions: Statement.Fragment;
        readonly first: (limit: number) => Effect.Effect<ReadonlyArray<number>, SqlError.SqlError>;
      }
    | undefined;
}

const few = 1_000;

type Sql = SqlClient.SqlClient;

interface Seq {
  readonly seq: number;
}

const seqsOf = Effect.map((rows: ReadonlyArray<Seq>) => rows.map((row) => row.seq));

/** Issues of several chapters that have all words, in whichever of them. */
const spread = Effect.fnUntraced(function* (
  sql: Sql,
  projectId: string,
  words: ReadonlyArray<string>,
) {
  const long = match(projectId, [continued]);
  const [any] = yield* sql`SELECT rowid FROM issue_text WHERE issue_text MATCH ${long} LIMIT 1`;
  let found: ReadonlyArray<number> | undefined = any === undefined ? [] : undefined;
  // Long words are rare ones.
  for (const word of words.toSorted((a, b) => b.length - a.length)) {
    if (found?.length === 0) break;
    const rows: ReadonlyArray<Seq> = yield* sql<Seq>`
      SELECT rowid AS seq FROM issue_text WHERE issue_text MATCH ${match(projectId, [continued, word])}
      UNION ALL
      SELECT c.issue_seq FROM chapter_text CROSS JOIN chapters c ON c.seq = chapter_text.rowid
        WHERE chapter_text MATCH ${match(projectId, [word])}`;
    const having = new Set(rows.map((row) => row.seq));
    found = found === undefined ? [...having] : found.filter((seq) => having.has(seq));
  }
  return found ?? [];
});

/** Those of `seqs` that meet the conditions. */
const judged = (
  sql: Sql,
  seqs: ReadonlyArray<number>,
  conditions: Statement.Fragment | undefined,
  slice: Page.Slice,
) =>
  sql<Seq>`SELECT seq FROM issues WHERE seq IN ${Batch.list(sql, seqs)}
    AND ${Keyset.beyond(sql, slice)} AND ${conditions ?? sql`1 = 1`}
    ${Keyset.ordered(sql, slice)}`.pipe(seqsOf);

const whole = Effect.fnUntraced(function* (
  sql: Sql,
  { filter, projectId, words }: Search,
  slice: Page.Slice,
) {
  const matching = sql`issue_text MATCH ${match(projectId, words)}`;
  const within = sql`${matching} AND ${Keyset.beyond(sql, slice, "issue_text.rowid")}`;
  const limit = filter === undefined ? slice.limit : few + 1;
  const matches = yield* sql<Seq>`SELECT rowid AS seq FROM issue_text WHERE ${within}
    ${Keyset.ordered(sql, { ...slice, limit }, "issue_text.rowid")}`.pipe(seqsOf);
  if (filter === undefined) return matches;
  if (matches.length <= few) return yield* judged(sql, matches, filter.conditions, slice);

  const candidates = yield* filter.first(few + 1);
  if (candidates.length > few) {
    return yield* sql<Seq>`SELECT issues.seq FROM issue_text
      CROSS JOIN issues ON issues.seq = issue_text.rowid WHERE ${within} AND ${filter.conditions}
      ${Keyset.ordered(sql, slice, "issue_text.rowid")}`.pipe(seqsOf);
  }
  const found: Array<number> = [];
  for (const chunk of Batch.chunks(candidates)) {
    if (found.length >= slice.limit) break;
    const rows = yield* sql<Seq>`SELECT rowid AS seq FROM issue_text
      WHERE ${matching} AND rowid IN ${Batch.list(sql, chunk)}`;
    const having = new Set(rows.map((row) => row.seq));
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
  const more = yield* judged(sql, long, search.filter?.conditions, slice);
  const ascending = [...new Set([...found, ...more])].toSorted((a, b) => a - b);
  return (slice.order === "asc" ? ascending : ascending.toReversed()).slice(0, slice.limit);
});
