/** Which entries of the stream are shown. */
export const shows = ["comments", "runs", "changes"] as const;
export type Show = (typeof shows)[number];

/** What the URL of the screen says: without `show`, the whole stream. */
export interface IssueSearch {
  readonly show?: Show | undefined;
}

export const issueSearch = (search: Record<string, unknown>): IssueSearch => ({
  show: shows.find((show) => show === search["show"]),
});
