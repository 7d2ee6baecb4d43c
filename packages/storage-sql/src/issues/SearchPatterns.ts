import { Effect } from "effect";
import type { SqlClient } from "effect/sql";
import { clause, numbers, raw } from "../sql/Clause.ts";
import * as Prepared from "../sql/Prepared.ts";
import * as SearchTokens from "./SearchTokens.ts";
import { type Better, type Seqs, seqsOf, type TierIndex, upTo } from "./TierIndex.ts";

/** The index of words in PostgreSQL, which `issues_with` reads block by block. */

/** A `tsquery`. In place of each `#` comes the number of a block. */
type Pattern = string;

const blockSize = raw(String(SearchTokens.blockSize));

const any = (patterns: ReadonlyArray<Pattern>): Pattern => `(${patterns.join(" | ")})`;
const all = (patterns: ReadonlyArray<Pattern>): Pattern => `(${patterns.join(" & ")})`;

const patternOfToken = ({ isStart, text }: SearchTokens.Token): Pattern =>
  `'${text}'${isStart ? ":*" : ""}`;

export const make = (sql: SqlClient.SqlClient, query: SearchTokens.Sought): TierIndex => {
  /** A word in a tier or a better one. */
  const wordIn = (tier: number, index: number): Pattern =>
    any(
      upTo(tier)
        .flatMap((each) => SearchTokens.sought(sql, query, index, each, "#"))
        .map(patternOfToken),
    );

  const allIn = (tier: number): Pattern => all(query.words.map((_, index) => wordIn(tier, index)));

  /**
   * An issue has one of the words exactly in its tier: PostgreSQL reads nothing where no issue has. Most words are in
   * descriptions, where the condition would only take time: a tenth to a quarter of a read.
   */
  const oneIn = (tier: number): ReadonlyArray<Pattern> => {
    const tokens = query.words.flatMap((_, index) =>
      SearchTokens.sought(sql, query, index, tier, "#"),
    );
    return tier === SearchTokens.descriptions ? [] : [any(tokens.map(patternOfToken))];
  };

  const patternOf = (tier: number, better: Better): Pattern => {
    if (better === "included" || tier === 0) return allIn(tier);
    const others = better === "excluded" ? [`!${allIn(tier - 1)}`] : [];
    return all([allIn(tier), ...oneIn(tier), ...others]);
  };

  const select = (pattern: Pattern, seqs: Seqs) =>
    seqs.length === 0
      ? Effect.succeed([])
      : seqsOf(
          sql,
          // A block's query is parsed once. The index of words would be slower for few issues.
          clause`SELECT issue_text.rowid FROM (
              SELECT replace(${pattern}, '#', block::text)::tsquery AS query, seqs FROM (
                SELECT seq / ${blockSize} AS block, array_agg(seq) AS seqs
                FROM unnest(ARRAY${numbers(seqs)}) AS seq GROUP BY 1
              ) AS blocks OFFSET 0
            ) AS blocks JOIN issue_text ON issue_text.rowid = ANY (seqs)
            WHERE (body @@ query) IS TRUE`,
        );

  return {
    newest: (tier, better, most, projects) => {
      const pattern = patternOf(tier, better);
      const scope = projects?.map((id) => `'${SearchTokens.ofProject("#", id)}'`);
      const scoped = scope === undefined ? pattern : all([any(scope), pattern]);
      return Effect.map(
        Prepared.run<readonly [seqs: string]>(
          sql,
          // One text: the driver takes longer to read thousands of rows than the server to find them.
          clause`SELECT array_to_string(ARRAY(SELECT * FROM issues_with(${scoped}, ${SearchTokens.blockSize}, ${most})), ',')`,
        ),
        ([row]) => JSON.parse(`[${row?.[0] ?? ""}]`) as Seqs,
      );
    },
    among: (tier, better, seqs) => select(patternOf(tier, better), seqs),
    withWord: (tier, index, seqs) => select(wordIn(tier, index), seqs),
  };
};
