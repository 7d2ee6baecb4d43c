import { Folding, type Issue } from "@quartermaster/core";

/** The search that every storage has to agree with: it reads all texts of all issues. */

/** An issue with all its texts. */
export interface Document {
  readonly issue: Pick<Issue.IssueRow, "id" | "title" | "labels" | "description" | "updatedAt">;
  readonly files: ReadonlyArray<string>;
  readonly comments: ReadonlyArray<string>;
  /** The key of the issue, and the keys with the earlier prefixes of its project. */
  readonly keys: ReadonlyArray<string>;
}

const wordsOf = (texts: ReadonlyArray<string>) => texts.flatMap((text) => Folding.words(text));

/** The words of each tier, best first. */
const tiersOf = ({ comments, files, issue, keys }: Document) => [
  wordsOf([issue.title]),
  wordsOf(issue.labels),
  wordsOf([issue.description ?? "", ...files]),
  wordsOf(comments),
  wordsOf(keys),
];

/** The tiers in which two characters are a prefix: title and key. */
const short = new Set([0, 4]);

/** The best tier with a word; Infinity without one. */
const tierOf = (document: Document, word: string, isLast: boolean): number => {
  const tier = tiersOf(document).findIndex((words, index) => {
    const isPrefix = isLast && [...word].length >= (short.has(index) ? 2 : 3);
    return words.some((other) => other === word || (isPrefix && other.startsWith(word)));
  });
  return tier === -1 ? Infinity : tier;
};

const newest = (a: string, b: string) => (a === b ? 0 : a < b ? 1 : -1);

/** The documents that have all words of a text, best first, with their tiers. */
export const search = (documents: ReadonlyArray<Document>, q: string) => {
  const words = Folding.words(q);
  return documents
    .map((document) => ({
      id: document.issue.id,
      updatedAt: document.issue.updatedAt,
      tier: Math.max(
        ...words.map((word, index) => tierOf(document, word, index === words.length - 1)),
      ),
    }))
    .filter(({ tier }) => tier < Infinity)
    .toSorted((a, b) => a.tier - b.tier || newest(a.updatedAt, b.updatedAt) || newest(a.id, b.id));
};
