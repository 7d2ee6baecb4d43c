/** The kinds of stream entries that the URL can select. */
export const shows = ["comments", "runs", "changes"] as const;
export type Show = (typeof shows)[number];

/** The search parameters of the page's URL. Default of `show`: the whole stream. */
export interface IssueSearch {
  readonly show?: Show | undefined;
}

export const issueSearch = (search: Record<string, unknown>): IssueSearch => ({
  show: shows.find((show) => show === search["show"]),
});
