/** The names that a Markdown text mentions as `@name`, outside of code. */

/** The largest number of names that one text mentions. */
export const mostNames = 50;

/**
 * A name starts and ends with a letter or a digit. A mail address, the scope of a package (`@types/node`) and a part
 * of a URL are not names. The lookahead keeps the longest name, so that no part of such a text is one.
 */
const mention =
  /(?<![\p{L}\p{M}\p{N}./@+%=&#-])@(?=([A-Za-z0-9](?:[A-Za-z0-9._:-]*[A-Za-z0-9])?))\1(?![\p{L}\p{M}\p{N}/@])/gu;

const longestName = 128;

/** The start or end of a fenced block, also in a quote or a list. */
const fence = /^(?:[\s>]|[-*+] |\d{1,9}[.)] )*(`{3,}|~{3,})(.*)$/;

const isListItem = (line: string) => /^\s*(?:[-*+]|\d{1,9}[.)])(?:\s|$)/.test(line);
const isIndented = (line: string) => /^(?: {4}| {0,3}\t)/.test(line);

/** The paragraphs of a text, without fenced and indented code. */
const paragraphsOf = (text: string): ReadonlyArray<string> => {
  const paragraphs: Array<string> = [];
  let lines: Array<string> = [];
  let open: string | null = null;
  let isInList = false;
  let isCode = false;
  const end = () => {
    if (lines.length > 0) paragraphs.push(lines.join("\n"));
    lines = [];
  };
  for (const line of text.split(/\r\n?|\n/)) {
    const isBlock = isIndented(line) && !isInList;
    const [, marks = "", rest = ""] = isBlock ? [] : (fence.exec(line) ?? []);
    if (open !== null) {
      if (marks.startsWith(open) && rest.trim() === "") open = null;
      continue;
    }
    // The rest of a line that opens a block of backticks has none: otherwise it is a code span.
    if (marks !== "" && !(marks.startsWith("`") && rest.includes("`"))) {
      end();
      open = marks;
      continue;
    }
    if (line.trim() === "") {
      end();
      continue;
    }
    if (isListItem(line)) isInList = true;
    else if (!/^\s/.test(line)) isInList = false;
    isCode = isBlock && (isCode || lines.length === 0);
    if (!isCode) lines.push(line);
  }
  end();
  return paragraphs;
};

/** For each run of backticks the place of the next one of the same length; undefined without one. */
const nextOfSame = (runs: ReadonlyArray<RegExpExecArray>): ReadonlyArray<number | undefined> => {
  const next: Array<number | undefined> = [];
  const newest = new Map<number, number>();
  for (let at = runs.length - 1; at >= 0; at--) {
    const length = runs[at]?.[0].length ?? 0;
    next[at] = newest.get(length);
    newest.set(length, at);
  }
  return next;
};

/** The paragraph with a space for each code span: a run of backticks ends at the next run of the same length. */
const withoutSpans = (paragraph: string): string => {
  const runs = [...paragraph.matchAll(/`+/g)];
  const next = nextOfSame(runs);
  let text = "";
  let from = 0;
  let first = 0;
  for (const [at, { index }] of runs.entries()) {
    const ends = at < first ? undefined : next[at];
    const end = runs[ends ?? -1];
    if (ends === undefined || end === undefined) continue;
    text += `${paragraph.slice(from, index)} `;
    from = end.index + end[0].length;
    first = ends + 1;
  }
  return text + paragraph.slice(from);
};

/** The names that a text mentions, each once. Reads only texts with an `@`. */
export const namesIn = (text: string | null): ReadonlyArray<string> => {
  if (text === null || !text.includes("@")) return [];
  const names = new Set<string>();
  for (const paragraph of paragraphsOf(text)) {
    for (const [, name = ""] of withoutSpans(paragraph).matchAll(mention)) {
      if (name.length <= longestName) names.add(name);
      if (names.size === mostNames) return [...names];
    }
  }
  return [...names];
};
