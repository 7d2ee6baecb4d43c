import { Effect } from "effect";
import type { SqlClient } from "effect/sql";
import { clause, limit, numbers } from "../sql/Clause.ts";
import * as Prepared from "../sql/Prepared.ts";
import * as SearchTokens from "./SearchTokens.ts";
import { type Better, type Seqs, seqsOf, type TierIndex, upTo } from "./TierIndex.ts";

/**
 * The index of words in SQLite, block by block. A search first looks up which of its words a block has, in
 * `issue_words`, the vocabulary of the index: about 25 µs for each tier. FTS5 collects all entries of a
 * prefix before it returns the first one (80 ns each), but steps over the entries of a whole word (10 ns),
 * so the last word is replaced by the few words that start with it.
 */

/** Blocks that are looked up together, after the newest one. */
const blocksAtOnce = 16;
/** The words that replace a prefix in a block and a tier. */
const mostWords = 8;

/** The condition that no issue meets: its block lacks a word. */
const nothing = "";

/** Whether there are more words, so that the prefix is not replaced. */
const isMany = (tokens: ReadonlyArray<string>) => tokens.length > mostWords;

const any = (patterns: ReadonlyArray<string>) => `(${patterns.join(" OR ")})`;
const all = (patterns: ReadonlyArray<string>) => `(${patterns.join(" AND ")})`;

/** After any token with the start `term`. */
const beyond = "\u{10ffff}";

/**
 * The tokens from each of some starts on, up to a number of them. One lookup for each: the vocabulary has a
 * row for each issue with a token, so the next token is looked for after all of them.
 */
const vocabulary = (
  sql: SqlClient.SqlClient,
  starts: ReadonlyArray<readonly [from: string, to: string, most: number]>,
) =>
  Prepared.run<readonly [index: number, token: string]>(
    sql,
    clause`WITH RECURSIVE part (at, upto, most, n, token) AS (
        SELECT key, value ->> 1, value ->> 2, 1, (SELECT term FROM issue_words
          WHERE term >= value ->> 0 AND term < value ->> 1 LIMIT 1)
        FROM json_each(${JSON.stringify(starts)})
        UNION ALL
        SELECT at, upto, most, n + 1, (SELECT term FROM issue_words
          WHERE term >= token || char(1) AND term < upto LIMIT 1)
        FROM part WHERE n < most AND token IS NOT NULL
      ) SELECT at, token FROM part WHERE token IS NOT NULL`,
  );

/** The words of a search, and the conditions on them in a block. */
const conditions = (sql: SqlClient.SqlClient, query: SearchTokens.Sought) => {
  const { words } = query;
  /** The tokens of each word that was looked up, by their start. The last word may also be another one. */
  const known = words.map(() => new Map<string, ReadonlyArray<string>>());
  const startsOf = (index: number, tier: number, block: number) =>
    SearchTokens.sought(sql, query, index, tier, block);
  const tokensFrom = (index: number, start: string) => known[index]?.get(start) ?? [];
  const tokensOf = (index: number, tier: number, block: number) =>
    startsOf(index, tier, block).flatMap(({ text }) => tokensFrom(index, text));
  /** Long words are rare. The last one may have several tokens. */
  const order = [...words.keys()].toSorted(
    (a, b) =>
      Number(a === words.length - 1) - Number(b === words.length - 1) ||
      (words[b] ?? "").length - (words[a] ?? "").length,
  );

  /** Looks a word up. Returns the blocks that have it in a tier or a better one. */
  const having = Effect.fnUntraced(function* (
    index: number,
    tier: number,
    blocks: ReadonlyArray<number>,
  ) {
    const starts = blocks
      .flatMap((block) =>
        upTo(tier).flatMap((each) =>
          startsOf(index, each, block).map(({ isStart, text }) =>
            isStart
              ? ([text, text + beyond, mostWords + 1] as const)
              : ([text, `${text}\u0001`, 1] as const),
          ),
        ),
      )
      .filter(([start]) => known[index]?.has(start) === false);
    if (starts.length > 0) {
      const rows = Map.groupBy(yield* vocabulary(sql, starts), ([at]) => at);
      for (const [at, [start]] of starts.entries()) {
        const tokens = (rows.get(at) ?? []).map(([, token]) => token);
        known[index]?.set(start, tokens);
      }
    }
    return blocks.filter((block) =>
      upTo(tier).some((each) => tokensOf(index, each, block).length > 0),
    );
  });

  /** The blocks that have all words, in a tier or better ones. */
  const havingAll = Effect.fnUntraced(function* (tier: number, blocks: ReadonlyArray<number>) {
    let left = blocks;
    for (const index of order) if (left.length > 0) left = yield* having(index, tier, left);
    return left;
  });

  /** The condition on a word in a block. */
  const wordIn = (index: number, tier: number, block: number): string => {
    const patterns = upTo(tier)
      .flatMap((each) => startsOf(index, each, block))
      .flatMap(({ text }) => {
        const tokens = tokensFrom(index, text);
        return isMany(tokens) ? [`"${text}" *`] : tokens.map((token) => `"${token}"`);
      });
    return patterns.length === 0 ? nothing : any(patterns);
  };

  const allIn = (tier: number, block: number): string => {
    const patterns = [...words.keys()].map((index) => wordIn(index, tier, block));
    return patterns.includes(nothing) ? nothing : all(patterns);
  };

  const patternOf = (tier: number, better: Better, block: number): string => {
    if (better === "included" || tier === 0) return allIn(tier, block);
    if (!hasIn(tier, block)) return nothing;
    const pattern = allIn(tier, block);
    const ofBetter = better === "excluded" ? allIn(tier - 1, block) : nothing;
    return pattern === nothing || ofBetter === nothing ? pattern : `(${pattern} NOT ${ofBetter})`;
  };

  /** Whether a block has one of the words in this tier. */
  const hasIn = (tier: number, block: number): boolean =>
    words.some((_, index) => tokensOf(index, tier, block).length > 0);

  return { having, havingAll, patternOf, wordIn };
};

export const make = (sql: SqlClient.SqlClient, query: SearchTokens.Sought): TierIndex => {
  const { having, havingAll, patternOf, wordIn } = conditions(sql, query);

  /** The issues among `seqs` that meet the condition of their block. */
  const select = Effect.fnUntraced(function* (
    seqs: Seqs,
    blocksOf: (blocks: ReadonlyArray<number>) => ReturnType<typeof havingAll>,
    conditionOf: (block: number) => string,
  ) {
    const byBlock = Map.groupBy(seqs, (seq) => SearchTokens.blockOf(seq));
    const found: Array<number> = [];
    for (const block of yield* blocksOf([...byBlock.keys()])) {
      const condition = conditionOf(block);
      if (condition === nothing) continue;
      const inBlock = byBlock.get(block) ?? [];
      const [from, to] = [Math.min(...inBlock), Math.max(...inBlock)];
      found.push(
        ...(yield* seqsOf(
          sql,
          clause`SELECT rowid FROM issue_text WHERE issue_text MATCH ${condition}
            AND rowid BETWEEN ${from} AND ${to} AND +rowid IN ${numbers(inBlock)}`,
        )),
      );
    }
    return found;
  });

  const newest = Effect.fnUntraced(function* (
    tier: number,
    better: Better,
    most: number,
    projects: ReadonlyArray<string> | null,
  ) {
    const [end = 0] = yield* seqsOf(sql, clause`SELECT coalesce(max(seq), 0) FROM issues`);
    const found: Array<number> = [];
    let atOnce = 1;
    for (let high = SearchTokens.blockOf(end); high >= 0 && found.length < most;) {
      const count = Math.min(atOnce, high + 1);
      const blocks = Array.from({ length: count }, (_, index) => high - index);
      for (const block of yield* havingAll(tier, blocks)) {
        const pattern = patternOf(tier, better, block);
        if (pattern === nothing || found.length >= most) continue;
        const scope = projects?.map((id) => `"${SearchTokens.ofProject(block, id)}"`);
        const scoped = scope === undefined ? pattern : `(${any(scope)} AND ${pattern})`;
        found.push(
          ...(yield* seqsOf(
            sql,
            clause`SELECT rowid FROM issue_text WHERE issue_text MATCH ${scoped}
              ORDER BY rowid DESC ${limit(most - found.length)}`,
          )),
        );
      }
      high -= count;
      atOnce = blocksAtOnce;
    }
    return found;
  });

  return {
    newest,
    among: (tier, better, seqs) =>
      select(
        seqs,
        (blocks) => havingAll(tier, blocks),
        (block) => patternOf(tier, better, block),
      ),
    withWord: (tier, index, seqs) =>
      select(
        seqs,
        (blocks) => having(index, tier, blocks),
        (block) => wordIn(index, tier, block),
      ),
  };
};
