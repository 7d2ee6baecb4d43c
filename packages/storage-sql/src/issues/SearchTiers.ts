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
import type { Better, Read, Seqs, TierIndex } from "./TierIndex.ts";

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

type Known = ReadonlySet<number>;

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
  const newest = Effect.fnUntraced(function* (tier: number, better: Better, known: Known) {
    const read = Effect.fnUntraced(function* (most: number, scope: ReadonlyArray<string> | null) {
      const found = yield* index.newest(tier, better, most + known.size + 1, scope);
      const seqs = found.filter((seq) => !known.has(seq));
      return { seqs: seqs.slice(0, most), isTruncated: seqs.length > most };
    });
    if (scope !== null && words.length > 1 && !Dialect.isPostgres(sql)) {
      const found = yield* read(mostChecked, null);
      if (!found.isTruncated) return found;
    }
    return yield* read(most, scope);
  });

  /** The issues of a tier. `known` has the issues of better tiers if `better` is `known`, and is empty otherwise. */
  const inTier = Effect.fnUntraced(function* (tier: number, better: Better, known: Known) {
    const left = few?.filter((seq) => !known.has(seq));
    const { seqs, ...found } =
      left === undefined
        ? yield* newest(tier, better, known)
        : { seqs: yield* index.among(tier, better, left), isTruncated: false };
    const isTruncated = found.isTruncated || (tier > SearchTokens.comments && keyWords.isTruncated);
    if (tier < SearchTokens.comments) return { seqs, isTruncated };
    const long = yield* spread(sql, index, words, tier);
    if (long.length === 0) return { seqs, isTruncated };
    const others = better === "excluded" ? yield* upToTier(tier - 1, long) : known;
    const without = new Set([...seqs, ...others]);
    const meeting = left && new Set(left);
    const more = long.filter((seq) => !without.has(seq) && meeting?.has(seq) !== false);
    return { seqs: [...seqs, ...more], isTruncated: isTruncated || long.length === mostLong };
  });

  /** The issues among some with several chapters that are in a tier or a better one. */
  const upToTier = Effect.fnUntraced(function* (tier: number, long: Seqs) {
    const found = yield* index.among(tier, "included", long);
    if (tier < SearchTokens.comments) return found;
    const among = new Set(long);
    return [...found, ...(yield* spread(sql, index, words, tier)).filter((seq) => among.has(seq))];
  });

  return { inTier, last };
};

/** The issues of all tiers. */
export const inAny = (sql: Sql, search: Search): Read<InTier> => {
  const { inTier, last } = make(sql, search);
  return inTier(last, "included", new Set());
};

/**
 * Reads tiers, each without the issues of better ones. From the best tier on, these are known, which takes less than
 * the index to tell them apart.
 */
export const reader = (sql: Sql, search: Search) => {
  const { inTier, last } = make(sql, search);
  const none: Known = new Set();
  /** The issues of each tier and of better ones, if they are known. */
  const upTo = new Map([[-1, none]]);
  return Effect.fnUntraced(function* (tier: number): Effect.fn.Return<InTier, SqlError.SqlError> {
    if (tier > last) return { seqs: [], isTruncated: false };
    const better = upTo.get(tier - 1);
    if (better === undefined) return yield* inTier(tier, "excluded", none);
    const found = yield* inTier(tier, "known", better);
    if (!found.isTruncated) upTo.set(tier, new Set([...better, ...found.seqs]));
    return found;
  });
};
