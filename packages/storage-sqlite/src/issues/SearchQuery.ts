import type { IssueFilter } from "@quartermaster/core";
import { Effect } from "effect";
import type { SqlClient, SqlError } from "effect/sql";
import * as Prepared from "../client/Prepared.ts";
import { always, beyond, type Clause, clause, limit, list, raw } from "../sql/Clause.ts";
import * as ListOrder from "./ListOrder.ts";
import { continued, match } from "./SearchIndex.ts";

/**
 * Search by words combined with other conditions. Words and conditions may each match a few issues
 * or nearly all. The smaller set is read first: either the conditions are checked on the issues
 * with the words, or the words on the issues that meet the conditions. If both sets are large, so
 * is their intersection, and a scan soon fills the first page.
 */

export interface Search {
  readonly projectId: string;
  readonly words: ReadonlyArray<string>;
  readonly sort: IssueFilter.IssueSort;
  /** Further conditions on `issues`; undefined for none. */
  readonly filter: Clause | undefined;
  /**
   * Reads a slice of the issues that meet the conditions and one additional condition, in list
   * order.
   */
  readonly some: (slice: ListOrder.Slice, condition?: Clause) => Places;
}

type Places = Effect.Effect<ReadonlyArray<ListOrder.Place>, SqlError.SqlError>;

const few = 1_000;

type Sql = SqlClient.SqlClient;

/** The first column of a statement's rows. */
const seqsOf = (sql: Sql, statement: Clause) =>
  Effect.map(Prepared.run<readonly [seq: number]>(sql, statement), (rows) =>
    rows.map(([seq]) => seq),
  );

/** Issues with several chapters that contain all words, in any of their chapters. */
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
  // Longer words are rarer.
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

/** Filters `seqs` by the conditions. */
const checked = (
  sql: Sql,
  seqs: ReadonlyArray<number>,
  { filter = always, sort }: Search,
  slice: ListOrder.Slice,
): Places =>
  Prepared.run<ListOrder.Place>(
    sql,
    clause`SELECT ${ListOrder.place(sort, "issues")} FROM issues WHERE issues.seq IN ${list(seqs)}
      AND ${filter} AND ${ListOrder.beyond(sort, slice, "issues")} ${ListOrder.ordered(sort, slice)}`,
  );

const whole = Effect.fnUntraced(function* (sql: Sql, search: Search, slice: ListOrder.Slice) {
  const { filter, projectId, some, sort, words } = search;
  const matching = clause`issue_text MATCH ${match(projectId, words)}`;
  const inOrder = sort === "created";
  const within = inOrder
    ? clause`${matching} AND ${beyond({ ...slice, after: slice.after?.seq ?? null }, "issue_text.rowid")}`
    : matching;
  const isPage = inOrder && filter === undefined;
  const matches = yield* seqsOf(
    sql,
    clause`SELECT rowid FROM issue_text WHERE ${within}
      ORDER BY issue_text.rowid ${raw(slice.order)} ${limit(isPage ? slice.limit : few + 1)}`,
  );
  if (isPage) return matches.map((seq): ListOrder.Place => [seq, seq]);
  if (matches.length <= few) return yield* checked(sql, matches, search, slice);

  // Finding all issues with the words takes 7 µs per issue. A scan in list order fills a page
  // sooner.
  if (!inOrder || (yield* some({ ...slice, limit: few + 1 })).length <= few) {
    return yield* some(
      slice,
      clause`issues.seq IN (SELECT rowid FROM issue_text WHERE ${matching})`,
    );
  }
  return yield* Prepared.run<ListOrder.Place>(
    sql,
    clause`SELECT ${ListOrder.place(sort, "issues")} FROM issue_text
      CROSS JOIN issues ON issues.seq = issue_text.rowid WHERE ${within} AND ${filter ?? always}
      ORDER BY issue_text.rowid ${raw(slice.order)} ${limit(slice.limit)}`,
  );
});

/**
 * Finds the places of issues that have all words, in the order of the slice and up to its limit.
 */
export const find = Effect.fnUntraced(function* (
  sql: Sql,
  search: Search,
  slice: ListOrder.Slice,
): Effect.fn.Return<ReadonlyArray<ListOrder.Place>, SqlError.SqlError> {
  const found = yield* whole(sql, search, slice);
  const long = yield* spread(sql, search.projectId, search.words);
  if (long.length === 0) return found;
  return ListOrder.merge(search.sort, slice, [found, yield* checked(sql, long, search, slice)]);
});
