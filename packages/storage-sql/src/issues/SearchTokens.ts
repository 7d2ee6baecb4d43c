import { Folding, Matching } from "@quartermaster/core";
import type { SqlClient } from "effect/sql";
import { type Clause, clause } from "../sql/Clause.ts";
import * as Dialect from "../sql/Dialect.ts";

/**
 * The tokens of the search index. The token of a word is `t#:word`: the letter of the best tier in
 * which the issue has the word, and the number of the issue's block of consecutive `seq`. A search
 * reads the blocks from the newest to the oldest until it has enough, so that its time does not grow
 * with the number of issues that have a common word, or words with a common prefix. `p#:id` is
 * the project, and in a search also the prefixes of its keys; `n#:142` is the number of the issue. Later
 * chapters have only the words of comments, without a block: `c:word`.
 */

type Sql = SqlClient.SqlClient;

const letters: ReadonlyArray<string> = ["t", "l", "d", "c", "n"];

/** The tier of comments, and after it the tier of keys. */
export const comments = 3;
const keys = 4;

/**
 * Issues in a block. FTS5 reads matches in order and looks a token up in 30 µs; PostgreSQL reads all
 * matches of a block, and looks a token up in a few microseconds.
 */
export const sizeOf = (sql: Sql): number => Dialect.either(sql, 65_536, 16_384);

/** PostgreSQL's tokens have at most 2,046 bytes, and a document less than 1 MiB of them. */
const longestWord = 255;
const mostCharacters = 250_000;

/** FTS5's tokenizer ignores the case of ASCII letters, but project ids are case-sensitive. */
const escaped = (projectId: string): string =>
  projectId.replace(/[^a-z0-9._:-]/gu, (char) => `^${char.codePointAt(0)?.toString(16)}^`);

/** A long word as its start and a hash of all of it. */
const shortened = (word: string): string => {
  if (word.length <= longestWord) return word;
  let hash = 0n;
  for (const char of word)
    hash = (hash * 1_099_511_628_211n + BigInt(char.codePointAt(0) ?? 0)) % 2n ** 64n;
  return `${word.slice(0, 128)}^${word.length}^${hash.toString(36)}`;
};

/** The tokens, each followed by a space. */
const joined = (tokens: Iterable<string>): string => {
  let document = "";
  for (const token of tokens) {
    // The words of one issue can only exceed it if nearly all are different and very short.
    if (document.length > mostCharacters) break;
    document += `${token} `;
  }
  return document;
};

/** The token of a project. */
export const ofProject = (block: number | "#", projectId: string): string =>
  `p${block}:${escaped(projectId)}`;

/** The token of a word in a tier, or the start of tokens. */
export const ofWord = (tier: number, block: number | "#", word: string): string =>
  `${letters[tier]}${block}:${shortened(word)}`;

/** Whether a word of a query also finds longer words in a tier. */
export const isPrefix = (words: ReadonlyArray<string>, index: number, tier: number): boolean => {
  const [field = "title"] = Matching.tiers[tier] ?? [];
  return index === words.length - 1 && Matching.isPrefix(words[index] ?? "", field);
};

/** The words of a query, and for each word the projects of which a prefix has it. */
export interface Sought {
  readonly words: ReadonlyArray<string>;
  readonly projects: ReadonlyArray<ReadonlyArray<string>>;
}

/** A token of the index, or the start of tokens. */
export interface Token {
  readonly text: string;
  readonly isStart: boolean;
}

/** The tokens of a query's word in a tier. */
export const sought = (
  { projects, words }: Sought,
  index: number,
  tier: number,
  block: number | "#",
): ReadonlyArray<Token> => {
  const word = words[index] ?? "";
  const inTier = { text: ofWord(tier, block, word), isStart: isPrefix(words, index, tier) };
  if (tier !== keys) return [inTier];
  const ofKey = (projects[index] ?? []).map((id) => ({
    text: ofProject(block, id),
    isStart: false,
  }));
  return /^[1-9]\d{0,14}$/.test(word) ? [inTier, ...ofKey] : ofKey;
};

/** The last tier in which issues can have all words: of keys only if a key can have a word. */
export const lastTier = (query: Sought): number =>
  query.words.some((_, index) => sought(query, index, keys, 0).length > 0) ? keys : comments;

/** The document of an issue, with the comments of its first chapter. For the block `#` see `putAt`. */
export const documentOf = (
  block: number | "#",
  projectId: string,
  texts: Matching.Texts,
): string => {
  const tokens = new Map([["", ofProject(block, projectId)]]);
  Matching.tiers.forEach((fields, tier) => {
    for (const text of fields.flatMap((field) => texts[field]))
      for (const word of Folding.words(text)) {
        const token = ofWord(tier, block, word);
        // In a key two characters are a prefix, so a number has its own token beside the token of a text.
        const known = tier === keys ? token : word;
        if (!tokens.has(known)) tokens.set(known, token);
      }
  });
  return joined(tokens.values());
};

/** The document of a later chapter. */
export const chapterOf = (comments: ReadonlyArray<string>): string => {
  const words = new Set(comments.flatMap((comment) => Folding.words(comment)));
  return joined(Array.from(words, (word) => `c:${shortened(word)}`));
};

/** A document as the value of the column `body`. */
export const put = (sql: Sql, document: string): Clause => ({
  text: Dialect.either(sql, "?", "array_to_tsvector(array_remove(string_to_array(?, ' '), ''))"),
  params: [document],
});

/** As `put` for PostgreSQL, with the block of the issue whose `seq` is an expression. No token contains `#`. */
export const putAt = (sql: Sql, seq: string, document: string): Clause => ({
  text: `array_to_tsvector(array_remove(string_to_array(
    replace(?, '#', (${seq} / ${sizeOf(sql)})::text), ' '), ''))`,
  params: [document],
});

/** The word of a chapter. */
export const inChapter = (sql: Sql, words: ReadonlyArray<string>, index: number): Clause => {
  const word = words[index] ?? "";
  const token = `c:${shortened(word)}`;
  const isStart = isPrefix(words, index, comments);
  return Dialect.either(
    sql,
    clause`chapter_text MATCH ${`"${token}"${isStart ? " *" : ""}`}`,
    clause`chapter_text.body @@ ${`'${token}'${isStart ? ":*" : ""}`}::tsquery`,
  );
};

/** The block of an issue. */
export const blockOf = (sql: Sql, seq: number): number => Math.floor(seq / sizeOf(sql));
