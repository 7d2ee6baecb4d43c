import * as Folding from "./Folding.ts";
import * as Matching from "./Matching.ts";

/** The fields and the text that show people why a search found an issue. */

/** The characters of a snippet, with the ellipses and without the marks around matches. */
const longest = 160;
const before = 40;
/** The characters of a text that are searched for a snippet. */
const searched = 65_536;

const start = "\u0002";
const end = "\u0003";
const ellipsis = "…";

/** A range of characters of a text. */
interface Range {
  readonly from: number;
  readonly to: number;
}

type Matches = (word: string) => boolean;

/** A character with its marks. Letters of Hangul compose to syllables. */
const character = /[\u1100-\u11ff]+|\P{M}\p{M}*|\p{M}+/gu;

/**
 * The ranges of matching words in a run without white space, which folding may make longer or
 * shorter. If its characters do not fold one by one, all of the run is the range.
 */
const rangesOf = (run: string, at: number, matches: Matches): ReadonlyArray<Range> => {
  const folded = Folding.fold(run);
  const origins: Array<Range> = [];
  for (const match of run.matchAll(character)) {
    const range = { from: at + match.index, to: at + match.index + match[0].length };
    for (const _ of Folding.fold(match[0]).split("")) origins.push(range);
  }
  const isWhole = origins.length !== folded.length;
  return [...folded.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].flatMap(({ 0: word, index }) => {
    if (!matches(word)) return [];
    const first = origins[index];
    const last = origins[index + word.length - 1];
    return isWhole || first === undefined || last === undefined
      ? [{ from: at, to: at + run.length }]
      : [{ from: first.from, to: last.to }];
  });
};

const matchesIn = (text: string, matches: Matches): ReadonlyArray<Range> =>
  [...text.matchAll(/\S+/gu)].flatMap(({ 0: run, index }) =>
    Folding.words(run).some(matches) ? rangesOf(run, index, matches) : [],
  );

/** Moves a cut out of a pair of surrogates. */
const outOfPair = (text: string, index: number): number =>
  /[\udc00-\udfff]/.test(text.charAt(index)) ? index - 1 : index;

/** The part of a text around its first match. */
const around = (text: string, ranges: ReadonlyArray<Range>): string => {
  const isShort = text.length <= longest;
  const first = ranges[0]?.from ?? 0;
  const cut = isShort || first <= before ? 0 : outOfPair(text, first - before);
  // Starts with a whole word.
  const from = cut === 0 ? 0 : cut + text.slice(cut, first).search(/\s/u) + 1;
  const room = longest - (from > 0 ? 1 : 0);
  const rest = text.length - from <= room;
  const to = rest ? text.length : outOfPair(text, from + room - 1);
  let snippet = from > 0 ? ellipsis : "";
  let at = from;
  for (const range of ranges) {
    if (range.from < at || range.from >= to) continue;
    const until = Math.min(range.to, to);
    snippet += text.slice(at, range.from) + start + text.slice(range.from, until) + end;
    at = until;
  }
  return snippet + text.slice(at, to) + (rest ? "" : ellipsis);
};

/** The fields in which a search found an issue, best first, and the text around its first match. */
export interface Found {
  readonly matchedIn: ReadonlyArray<Matching.Field | "key">;
  /** With each match between U+0002 and U+0003; null if no text has a word of the search. */
  readonly snippet: string | null;
}

/** The snippet is of the field that decided the tier, which shows why the issue was found. */
export const of = (texts: Matching.Texts, words: ReadonlyArray<string>, isKey = false): Found => {
  const isWord =
    (field: Matching.Field): Matches =>
    (word) =>
      words.some((_, index) => Matching.matcher(words, index, field)(word));
  const matchedIn: Array<Matching.Field | "key"> = isKey ? ["key"] : [];
  let snippet: string | null = null;
  const shown = new Set<number>();
  for (const field of Matching.fields) {
    const found = texts[field].flatMap((text) => Folding.words(text));
    const having = words.flatMap((_, index) =>
      found.some(Matching.matcher(words, index, field)) ? [index] : [],
    );
    if (having.length === 0) continue;
    if (field === "key") {
      // Responses have the key itself.
      if (!isKey) matchedIn.unshift(field);
      for (const index of having) shown.add(index);
      continue;
    }
    matchedIn.push(field);
    if (having.every((index) => shown.has(index))) continue;
    for (const index of having) shown.add(index);
    for (const text of texts[field]) {
      const clean = text.slice(0, searched).replaceAll(start, " ").replaceAll(end, " ");
      const ranges = matchesIn(clean, isWord(field));
      if (ranges.length === 0) continue;
      snippet = around(clean, ranges);
      break;
    }
  }
  // Only later comments are not among the texts.
  if (!isKey && shown.size < words.length && !matchedIn.includes("comments"))
    matchedIn.push("comments");
  return { matchedIn, snippet };
};
