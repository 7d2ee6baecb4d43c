import { type StatsWindow, windows } from "../data/stats.ts";

/** The search parameters of the screen's URL. */
export interface OverviewSearch {
  /** Default: the last 24 hours. */
  readonly window?: StatsWindow | undefined;
  /** Default: all projects. */
  readonly project?: string | undefined;
}

export const overviewSearch = (search: Record<string, unknown>): OverviewSearch => ({
  window: windows.find((window) => window === search["window"] && window !== "24h"),
  project:
    typeof search["project"] === "string" && search["project"] !== ""
      ? search["project"]
      : undefined,
});
