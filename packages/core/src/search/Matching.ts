import * as Folding from "./Folding.ts";

/**
 * The rules by which a search finds and ranks texts. Storages find the same issues by their indexes; the
 * suites compare them with `tierOf`.
 */

/**
 * The fields of an issue that are searched, best first. Description and file names are one tier. The key is last: its
 * letters say least about an issue. A search whose text is a key, or the start of one, finds it before all tiers.
 */
export const fields = ["title", "labels", "description", "files", "comments", "key"] as const;
export type Field = (typeof fields)[number];

/** The texts of an issue by field. */
export type Texts = Readonly<Record<Field, ReadonlyArray<string>>>;

/** The tiers of fields, best first. A storage reads one after the other. */
export const tiers: ReadonlyArray<ReadonlyArray<Field>> = [
  ["title"],
  ["labels"],
  ["description", "files"],
  ["comments"],
  ["key"],
];

/** The texts of a key: the number of the issue, and the prefixes that its project has or had. */
export const keyOf = (number: number, prefixes: ReadonlyArray<string>): ReadonlyArray<string> =>
  number > 0 ? [String(number), ...prefixes] : prefixes;

/** The most issues that a search considers in one tier. */
export const mostCandidates = 2_000;

/** The longest word that is also a prefix: indexes have the first characters of longer words. */
const longestPrefix = 64;

/**
 * The words of a query in their order, the others distinct and then the last one, which is also a prefix. A last word
 * that also occurs before also has to be a whole word.
 */
export const wordsOf = (query: string): ReadonlyArray<string> => {
  const words = Folding.words(query);
  const last = words.at(-1);
  return last === undefined ? [] : [...new Set(words.slice(0, -1)), last];
};

/** Whether the last word of a query also finds longer words in a field. */
export const isPrefix = (word: string, field: Field): boolean => {
  const { length } = [...word];
  return length <= longestPrefix && length >= (field === "title" || field === "key" ? 2 : 3);
};

/** The condition of a word of a query on a word of a field. */
export const matcher =
  (words: ReadonlyArray<string>, index: number, field: Field) =>
  (word: string): boolean => {
    const wanted = words[index] ?? "";
    return (
      word === wanted ||
      (index === words.length - 1 && isPrefix(wanted, field) && word.startsWith(wanted))
    );
  };

/**
 * The index of the tier in which the texts have all words; undefined if they lack one. Every word
 * counts by the best tier that has it, and the texts by their worst word.
 */
export const tierOf = (texts: Texts, words: ReadonlyArray<string>): number | undefined => {
  const found = tiers.map((tier) =>
    tier.map((field) => [field, texts[field].flatMap((text) => Folding.words(text))] as const),
  );
  const worst = Math.max(
    ...words.map((_, index) => {
      const tier = found.findIndex((parts) =>
        parts.some(([field, inField]) => inField.some(matcher(words, index, field))),
      );
      return tier === -1 ? tiers.length : tier;
    }),
  );
  return worst < tiers.length ? worst : undefined;
};
