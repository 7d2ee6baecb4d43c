import type { DocsPage } from "./Pages.ts";

export interface Found {
  /** The path of the section below `/docs`, with its anchor. */
  readonly path: string;
  readonly title: string;
  /** The heading of the section; null for the start of a page. */
  readonly heading: string | null;
  readonly excerpt: string;
}

interface Section extends Omit<Found, "excerpt"> {
  readonly text: string;
  /** The heading, or the page title for the start of a page. */
  readonly name: string;
}

/** Limits: the characters of an excerpt, and the words and characters of a query. */
const excerptLength = 160;
const maxWords = 8;
const maxLength = 200;
const maxResults = 30;

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };

/** The text of HTML. Inline elements leave no space. */
const textOf = (html: string): string =>
  html
    .replaceAll(/<\/?(?:a|code|em|strong)\b[^>]*>/g, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&(amp|lt|gt|quot);/g, (_, name: string) => entities[name] ?? "")
    .replaceAll(/\s+/g, " ")
    .trim();

/** The sections of a page: its start, and one per heading. */
const sectionsOf = ({ headings, html, path, title }: DocsPage): ReadonlyArray<Section> =>
  html.split(/(?=<h[23] id=")/).map((part) => {
    const [, id] = /^<h[23] id="([^"]*)"/.exec(part) ?? [];
    const found = headings.find((heading) => heading.id === id);
    const heading = found === undefined ? null : textOf(found.title);
    return {
      path: id === undefined ? path : `${path}#${id}`,
      title,
      heading,
      text: textOf(part.replace(/<h[123].*?<\/h[123]>/s, "")),
      name: heading ?? title,
    };
  });

/** Matches the start of a word: `lease` finds "leases", not "release". */
const matcher = (word: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}])${word.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)}`,
    "iu",
  );

/** Whether a page is an index. Indexes link to everything and explain nothing, so they rank low. */
const isIndex = (path: string): boolean => /^(?:contract)?(?:#|$)/.test(path);

/**
 * Scores a section; 0 if a word is missing. Words in headings count most, and guides count more
 * than the contract.
 */
const scoreOf = ({ name, path, text, title }: Section, words: ReadonlyArray<RegExp>): number => {
  let score = 0;
  for (const word of words) {
    const found =
      (word.test(name) ? 8 : 0) + (word.test(text) ? 2 : 0) + (word.test(title) ? 1 : 0);
    if (found === 0) return 0;
    score += found;
  }
  if (isIndex(path)) return 1;
  return path.startsWith("contract/") ? score + 1 : score + 3;
};

const excerptOf = ({ text }: Section, words: ReadonlyArray<RegExp>): string => {
  const positions = words.map((word) => text.search(word)).filter((at) => at >= 0);
  const from = Math.max(0, Math.min(...positions, text.length) - 40);
  const start = from === 0 || positions.length === 0 ? 0 : text.indexOf(" ", from) + 1;
  const end = start + excerptLength;
  return `${start === 0 ? "" : "…"}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
};

/** Creates a search over the documentation: sections that contain all words, best first. */
export const make = (pages: ReadonlyArray<DocsPage>) => {
  const sections = pages.flatMap(sectionsOf);
  return (query: string): ReadonlyArray<Found> => {
    const words = query
      .slice(0, maxLength)
      .split(/\s+/)
      .filter(Boolean)
      .slice(0, maxWords)
      .map(matcher);
    if (words.length === 0) return [];
    return sections
      .map((section) => ({ section, score: scoreOf(section, words) }))
      .filter(({ score }) => score > 0)
      .toSorted((one, other) => other.score - one.score)
      .slice(0, maxResults)
      .map(({ section }) => ({
        path: section.path,
        title: section.title,
        heading: section.heading,
        excerpt: excerptOf(section, words),
      }));
  };
};
