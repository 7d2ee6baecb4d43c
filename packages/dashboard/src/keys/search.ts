/** The search parameters of the screen's URL. */
export interface KeysSearch {
  readonly view?: "sessions" | undefined;
}

export const keysSearch = (search: Record<string, unknown>): KeysSearch => ({
  view: search["view"] === "sessions" ? "sessions" : undefined,
});
