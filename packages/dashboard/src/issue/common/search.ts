/** The entries of the stream to show. */
export const shows = ["comments", "runs", "changes"] as const;
export type Show = (typeof shows)[number];

/** The search parameters of the page's URL: without `show`, the whole stream. */
export interface IssueSearch {
  readonly show?: Show | undefined;
}

export const issueSearch = (search: Record<string, unknown>): IssueSearch => ({
  show: shows.find((show) => show === search["show"]),
});
