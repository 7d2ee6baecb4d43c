import { type IssueFilter, type IssueKeys, Matching } from "@quartermaster/core";
import { Effect } from "effect";
import type { SqlClient, SqlError } from "effect/sql";
import { type Clause, clause, limit, raw } from "../sql/Clause.ts";
import * as Dialect from "../sql/Dialect.ts";
import * as Prepared from "../sql/Prepared.ts";
import * as SearchBlocks from "./SearchBlocks.ts";
import type * as SearchKeys from "./SearchKeys.ts";
import * as SearchPatterns from "./SearchPatterns.ts";
import * as SearchTokens from "./SearchTokens.ts";
import type { Read, Seqs, TierIndex } from "./TierIndex.ts";

/** Reads the issues of a search from the index of words, tier by tier. */

type Sql = SqlClient.SqlClient;

export interface Search {
  readonly projects: ReadonlyArray<string> | null;
  readonly words: ReadonlyArray<string>;
  readonly keyWords: SearchKeys.Keyed;
  /** The issue with an exact key. */
  readonly issueId: string | undefined;
  /** The start of the keys of other issues. */
  readonly keyStart: IssueKeys.IssueKey | undefined;
  readonly sort: IssueFilter.SearchSort;
  /** Further conditions on `issues`; undefined for none. */
  readonly filter: Clause | undefined;
  /** The issues that meet the conditions, if they are few. */
  readonly few: Seqs | undefined;
}

/** The projects that the index distinguishes in one search. More are a condition. */
const mostProjects = 50;
/** The issues of a tier that conditions are checked on. */
const mostChecked = 4_000;
/** The issues with several chapters that have one of the words. */
const mostLong = 500;

/** Issues with several chapters that have all words, in any of their chapters or a tier. */
const spread = Effect.fnUntraced(function* (
  sql: Sql,
  index: TierIndex,
  words: ReadonlyArray<string>,
  tier: number,
) {
  const parts = words.map(
    (_, each) => clause`SELECT ${raw(String(each))} AS word, issue_seq FROM (
      SELECT DISTINCT c.issue_seq FROM chapter_text
      CROSS JOIN chapters c ON c.seq = chapter_text.rowid
      WHERE ${SearchTokens.inChapter(sql, words, each)}
      ORDER BY c.issue_seq DESC ${limit(mostLong)}
    ) AS part`,
  );
  const rows = yield* Prepared.run<readonly [word: number, seq: number]>(sql, {
    text: parts.map(({ text }) => text).join(" UNION ALL "),
    params: parts.flatMap(({ params }) => params),
  });
  let found: Seqs = [...new Set(rows.map(([, seq]) => seq))]
    .toSorted((a, b) => b - a)
    .slice(0, mostLong);
  for (const each of words.keys()) {
    if (found.length === 0) break;
    const inChapters = rows.flatMap(([word, seq]) => (word === each ? [seq] : []));
    const having = new Set([...inChapters, ...(yield* index.withWord(tier, each, found))]);
    found = found.filter((seq) => having.has(seq));
  }
  return found;
});

/** The issues of a tier. */
interface InTier {
  readonly seqs: Seqs;
  readonly isTruncated: boolean;
}

/** In PostgreSQL, the tiers of more issues are read again: it tests each row. */
const mostAgain = (sql: Sql): number => Dialect.either(sql, Infinity, 500);

const make = (sql: Sql, { few, filter, keyWords, projects, words }: Search) => {
  const scope = projects !== null && projects.length <= mostProjects ? projects : null;
  const most = filter !== undefined || scope !== projects ? mostChecked : Matching.mostCandidates;
  const query = { words, projects: keyWords.projects };
  const last = SearchTokens.lastTier(query);
  const index = Dialect.either(sql, SearchBlocks.make, SearchPatterns.make)(sql, query);

  /**
   * The newest issues of a tier. In SQLite the entries of a project take longer than several words that few
   * issues have, so these are first read without them; the projects are also a condition on what is found.
   */
  const newest = Effect.fnUntraced(function* (tier: number, isExact: boolean, most: number) {
    if (scope !== null && words.length > 1 && !Dialect.isPostgres(sql)) {
      const seqs = yield* index.newest(tier, isExact, mostChecked + 1, null);
      if (seqs.length <= mostChecked) return { seqs, isTruncated: false };
    }
    const seqs = yield* index.newest(tier, isExact, most + 1, scope);
    return { seqs: seqs.slice(0, most), isTruncated: seqs.length > most };
  });

  /** The issues of a tier, and of better ones unless `isExact`. */
  const inTier = Effect.fnUntraced(function* (tier: number, isExact: boolean, upTo = most) {
    const { seqs, ...found } =
      few === undefined
        ? yield* newest(tier, isExact, Math.min(upTo, most))
        : { seqs: yield* index.among(tier, isExact, few), isTruncated: false };
    const isTruncated = found.isTruncated || (tier > SearchTokens.comments && keyWords.isTruncated);
    if (tier < SearchTokens.comments) return { seqs, isTruncated, long: [] };
    const long = yield* spread(sql, index, words, tier);
    if (long.length === 0) return { seqs, isTruncated, long };
    const better = isExact ? yield* upToTier(tier - 1, long) : [];
    const left = new Set([...seqs, ...better]);
    const meeting = few && new Set(few);
    const more = long.filter((seq) => !left.has(seq) && meeting?.has(seq) !== false);
    return {
      seqs: [...seqs, ...more],
      isTruncated: isTruncated || long.length === mostLong,
      long: more,
    };
  });

  /** The issues among some with several chapters that are in a tier or a better one. */
  const upToTier = Effect.fnUntraced(function* (tier: number, long: Seqs) {
    const found = yield* index.among(tier, false, long);
    if (tier < SearchTokens.comments) return found;
    const among = new Set(long);
    return [...found, ...(yield* spread(sql, index, words, tier)).filter((seq) => among.has(seq))];
  });

  return { index, inTier, last, upToTier };
};

/** The issues of all tiers. */
export const inAny = (sql: Sql, search: Search): Read<InTier> => {
  const { inTier, last } = make(sql, search);
  return inTier(last, false);
};

/**
 * Reads tiers, each without the issues of better ones. The titles have few words, and many searches need no
 * more. Then a search of several words reads all tiers together, and looks for each tier in what it found.
 */
export const reader = (sql: Sql, search: Search) => {
  const { inTier, index, last, upToTier } = make(sql, search);
  /** The issues of each tier and of better ones, if they are known. */
  const upTo = new Map<number, Seqs>();
  let isMany = false;
  let inAll: Effect.Success<ReturnType<typeof inTier>> | undefined;
  return Effect.fnUntraced(function* (tier: number): Effect.fn.Return<InTier, SqlError.SqlError> {
    if (tier > last) return { seqs: [], isTruncated: false };
    if (tier === 0 || search.words.length === 1) {
      const found = yield* inTier(tier, true);
      if (!found.isTruncated) upTo.set(tier, found.seqs);
      // All tiers together have at least as many.
      isMany ||= found.isTruncated || found.seqs.length > mostAgain(sql);
      return found;
    }
    if (isMany) return yield* inTier(tier, true);
    const { isTruncated, long, seqs } = (inAll ??= yield* inTier(last, false, mostAgain(sql)));
    if (isTruncated || seqs.length > mostAgain(sql)) return yield* inTier(tier, true);
    upTo.set(last, seqs);
    const inIndex = seqs.slice(0, seqs.length - long.length);
    for (const each of [tier - 1, tier]) {
      if (upTo.has(each)) continue;
      const more = each < SearchTokens.comments ? [] : yield* upToTier(each, long);
      upTo.set(each, [...(yield* index.amongAll(each, inIndex)), ...more]);
    }
    const better = new Set(upTo.get(tier - 1));
    const having = upTo.get(tier) ?? [];
    return { seqs: having.filter((seq) => !better.has(seq)), isTruncated };
  });
};
