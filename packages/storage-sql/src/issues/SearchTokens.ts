import { Folding, Matching } from "@quartermaster/core";
import type { SqlClient } from "effect/sql";
import { type Clause, clause } from "../sql/Clause.ts";
import * as Dialect from "../sql/Dialect.ts";

/**
 * The tokens of the search index. The token of a word is `t#:word`: the letter of the best tier in
 * which the issue has the word, and the number of the block of consecutive `seq`. A search
 * reads the blocks from the newest to the oldest until it has enough, so that its time does not grow
 * with the number of issues that have a common word, or words with a common prefix. `p#:id` is
 * the project, and in a search also the prefixes of its keys; `n#:142` is the number of the issue. Later
 * chapters have only the words of comments, without a block: `c:word`.
 *
 * PostgreSQL collects all entries of a prefix before it compares them with the entries of other words, but steps over
 * the entries of a whole word. So its tokens tell whether a word goes on after a character: `WORd`, and `WORDs`. The
 * start `WORD` finds only longer words, and not the many entries of the word itself.
 */

type Sql = SqlClient.SqlClient;

const letters: ReadonlyArray<string> = ["t", "l", "d", "c", "n"];

/** The tier of descriptions and file names, the tier of comments, and after it the tier of keys. */
export const descriptions = 2;
export const comments = 3;
const keys = 4;

/**
 * Issues in a block. Looking a token up takes FTS5 30 µs and PostgreSQL a few; PostgreSQL reads all matches of a block,
 * half of its issues in 4 ms.
 */
export const blockSize = 65_536;

/** PostgreSQL's tokens have at most 2,046 bytes, and a document less than 1 MiB of them. */
const longestWord = 255;
const mostCharacters = 250_000;

/** FTS5's tokenizer ignores the case of ASCII letters, but project ids are case-sensitive. */
const escaped = (projectId: string): string =>
  projectId.replace(/[^a-z0-9._:-]/gu, (char) => `^${char.codePointAt(0)?.toString(16)}^`);

/** The characters of a word that goes on after them: upper case, or `+` after others than letters from a to z. */
const continued = (start: string): string =>
  start.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase()).replaceAll(/[^A-Z]/gu, "$&+");

const ended = (word: string): string => {
  const end = /.$/su.exec(word)?.[0] ?? "";
  return continued(word.slice(0, word.length - end.length)) + end;
};

/** The characters of a word in PostgreSQL's tokens. FTS5 ignores the case of ASCII letters. */
const formOf = (sql: Sql) => ({
  whole: (word: string) => Dialect.either(sql, word, ended(word)),
  start: (word: string) => Dialect.either(sql, word, continued(word)),
});

/** A long word as its start and a hash of all of it. */
const shortened = (sql: Sql, word: string): string => {
  const form = formOf(sql);
  if (word.length <= longestWord) return form.whole(word);
  let hash = 0n;
  for (const char of word)
    hash = (hash * 1_099_511_628_211n + BigInt(char.codePointAt(0) ?? 0)) % 2n ** 64n;
  return `${form.start(word.slice(0, 128))}^${word.length}^${hash.toString(36)}`;
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

/** The token of a word in a tier. */
const ofWord = (sql: Sql, tier: number, block: number | "#", word: string): string =>
  `${letters[tier]}${block}:${shortened(sql, word)}`;

/** Whether a word of a query also finds longer words in a tier. */
const isPrefix = (words: ReadonlyArray<string>, index: number, tier: number): boolean => {
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

/** The tokens of a word, after their start. In SQLite the start of a prefix also finds the word itself. */
const tokensOf = (
  sql: Sql,
  start: string,
  word: string,
  isPrefix: boolean,
): ReadonlyArray<Token> => {
  const whole = { text: start + shortened(sql, word), isStart: false };
  const longer = { text: start + formOf(sql).start(word), isStart: true };
  if (!isPrefix) return [whole];
  return Dialect.isPostgres(sql) ? [whole, longer] : [longer];
};

const isNumber = (word: string) => /^[1-9]\d{0,14}$/.test(word);

/** The tokens of a query's word in a tier. */
export const sought = (
  sql: Sql,
  { projects, words }: Sought,
  index: number,
  tier: number,
  block: number | "#",
): ReadonlyArray<Token> => {
  const word = words[index] ?? "";
  const inTier = () =>
    tokensOf(sql, `${letters[tier]}${block}:`, word, isPrefix(words, index, tier));
  if (tier !== keys) return inTier();
  const ofKey = (projects[index] ?? []).map((id) => ({
    text: ofProject(block, id),
    isStart: false,
  }));
  return isNumber(word) ? [...inTier(), ...ofKey] : ofKey;
};

/** The last tier in which issues can have all words: of keys only if a key can have a word. */
export const lastTier = ({ projects, words }: Sought): number =>
  words.some((word, index) => isNumber(word) || (projects[index] ?? []).length > 0)
    ? keys
    : comments;

/** The document of an issue, with the comments of its first chapter. For the block `#` see `putAt`. */
export const documentOf = (
  sql: Sql,
  block: number | "#",
  projectId: string,
  texts: Matching.Texts,
): string => {
  const tokens = new Map([["", ofProject(block, projectId)]]);
  Matching.tiers.forEach((fields, tier) => {
    for (const text of fields.flatMap((field) => texts[field]))
      for (const word of Folding.words(text)) {
        const token = ofWord(sql, tier, block, word);
        // In a key two characters are a prefix, so a number has its own token beside the token of a text.
        const known = tier === keys ? token : word;
        if (!tokens.has(known)) tokens.set(known, token);
      }
  });
  return joined(tokens.values());
};

/** The document of a later chapter. */
export const chapterOf = (sql: Sql, comments: ReadonlyArray<string>): string => {
  const words = new Set(comments.flatMap((comment) => Folding.words(comment)));
  return joined(Array.from(words, (word) => `c:${shortened(sql, word)}`));
};

/** A document as the value of the column `body`. */
export const put = (sql: Sql, document: string): Clause => ({
  text: Dialect.either(sql, "?", "array_to_tsvector(array_remove(string_to_array(?, ' '), ''))"),
  params: [document],
});

/** As `put` for PostgreSQL, with the block of the issue whose `seq` is an expression. No token contains `#`. */
export const putAt = (seq: string, document: string): Clause => ({
  text: `array_to_tsvector(array_remove(string_to_array(
    replace(?, '#', (${seq} / ${blockSize})::text), ' '), ''))`,
  params: [document],
});

/** The word of a chapter. */
export const inChapter = (sql: Sql, words: ReadonlyArray<string>, index: number): Clause => {
  const tokens = tokensOf(sql, "c:", words[index] ?? "", isPrefix(words, index, comments));
  const pattern = (quote: string, start: string, or: string) =>
    tokens.map(({ isStart, text }) => `${quote}${text}${quote}${isStart ? start : ""}`).join(or);
  return Dialect.either(
    sql,
    clause`chapter_text MATCH ${pattern('"', " *", " OR ")}`,
    clause`chapter_text.body @@ ${pattern("'", ":*", " | ")}::tsquery`,
  );
};

/** The block of an issue. */
export const blockOf = (seq: number): number => Math.floor(seq / blockSize);
