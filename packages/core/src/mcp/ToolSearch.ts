import type { ToolDefinition } from "./Tool.ts";

/**
 * Search of the tools that an agent may use. The query matches words in name, title and
 * description; rare words weigh more than frequent ones.
 */

interface Tool {
  readonly name: string;
  readonly definition: ToolDefinition;
}

const weights = { name: 4, title: 3, description: 1 };

const words = (text: unknown): ReadonlyArray<string> =>
  typeof text === "string" ? (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) : [];

/** The weight of each word of a tool. */
type Words = ReadonlyMap<string, number>;

/** Cached by identity: a definition is the same object until its server changes it. */
const indexed = new WeakMap<object, Words>();

const wordsOf = ({ definition, name }: Tool): Words => {
  const known = indexed.get(definition);
  if (known !== undefined) return known;
  const index = new Map<string, number>();
  const parts = [
    [name, weights.name],
    [definition["title"], weights.title],
    [definition["description"], weights.description],
  ] as const;
  for (const [text, weight] of parts) {
    for (const word of words(text)) index.set(word, Math.max(index.get(word) ?? 0, weight));
  }
  indexed.set(definition, index);
  return index;
};

/**
 * Scores one word of the query for a tool. It matches a whole word, or the start of a longer one.
 */
const fit = (index: Words, word: string): number => {
  const whole = index.get(word);
  if (whole !== undefined) return whole;
  let best = 0;
  for (const [other, weight] of index) {
    if (weight > best * 2 && other.startsWith(word)) best = weight / 2;
  }
  return best;
};

/** The tools that match at least one word of the query, best match first. */
export const search = <A extends Tool>(
  tools: ReadonlyArray<A>,
  query: string,
): ReadonlyArray<A> => {
  const wanted = [...new Set(words(query))];
  const indexes = tools.map(wordsOf);
  const rows = wanted.map((word) => {
    const fits = indexes.map((index) => fit(index, word));
    const found = fits.filter((each) => each > 0).length;
    const rarity = Math.log(1 + tools.length / (1 + found));
    return fits.map((each) => each * rarity);
  });
  return tools
    .map((tool, index) => ({ tool, score: rows.reduce((sum, row) => sum + (row[index] ?? 0), 0) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ tool }) => tool);
};
