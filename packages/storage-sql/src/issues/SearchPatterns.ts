import { Effect } from "effect";
import type { SqlClient } from "effect/sql";
import { clause, numbers, raw } from "../sql/Clause.ts";
import * as SearchTokens from "./SearchTokens.ts";
import { type Seqs, seqsOf, type TierIndex, upTo } from "./TierIndex.ts";

/** The index of words in PostgreSQL, which `issues_with` reads block by block. */

/** A `tsquery`. In place of each `#` comes the number of a block. */
type Pattern = string;

const any = (patterns: ReadonlyArray<Pattern>): Pattern => `(${patterns.join(" | ")})`;
const all = (patterns: ReadonlyArray<Pattern>): Pattern => `(${patterns.join(" & ")})`;

export const make = (sql: SqlClient.SqlClient, query: SearchTokens.Sought): TierIndex => {
  const size = SearchTokens.sizeOf(sql);

  /** A word in a tier or a better one. */
  const wordIn = (tier: number, index: number): Pattern =>
    any(
      upTo(tier)
        .flatMap((each) => SearchTokens.sought(query, index, each, "#"))
        .map(({ isStart, text }) => `'${text}'${isStart ? ":*" : ""}`),
    );

  const allIn = (tier: number): Pattern => all(query.words.map((_, index) => wordIn(tier, index)));

  const patternOf = (tier: number, isExact: boolean): Pattern =>
    isExact && tier > 0 ? `(${allIn(tier)} & !${allIn(tier - 1)})` : allIn(tier);

  const select = (pattern: Pattern, seqs: Seqs) =>
    seqs.length === 0
      ? Effect.succeed([])
      : seqsOf(
          sql,
          clause`SELECT rowid FROM issue_text WHERE rowid IN ${numbers(seqs)}
            AND body @@ replace(${pattern}, '#', (rowid / ${raw(String(size))})::text)::tsquery`,
        );

  return {
    newest: (tier, isExact, most, projects) => {
      const pattern = patternOf(tier, isExact);
      const scope = projects?.map((id) => `'${SearchTokens.ofProject("#", id)}'`);
      const scoped = scope === undefined ? pattern : all([any(scope), pattern]);
      return seqsOf(sql, clause`SELECT * FROM issues_with(${scoped}, ${size}, ${most})`);
    },
    among: (tier, isExact, seqs) => select(patternOf(tier, isExact), seqs),
    amongAll: (tier, seqs) => select(patternOf(tier, false), seqs),
    withWord: (tier, index, seqs) => select(wordIn(tier, index), seqs),
  };
};
