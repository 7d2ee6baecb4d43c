/** The search parameters of the screen's URL. `issue` takes precedence over `project`. */
export interface GraphSearch {
  readonly project?: string | undefined;
  readonly issue?: string | undefined;
  /** Whether resolved and closed issues are hidden. */
  readonly open?: true | undefined;
  /** Default: the picture; on a narrow screen, the list. */
  readonly view?: "list" | "picture" | undefined;
}

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

export const graphSearch = (search: Record<string, unknown>): GraphSearch => ({
  project: text(search["project"]),
  issue: text(search["issue"]),
  open: search["open"] === "true" || search["open"] === true ? true : undefined,
  view: search["view"] === "list" || search["view"] === "picture" ? search["view"] : undefined,
});
