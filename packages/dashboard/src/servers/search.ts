import { categories, type Category } from "../data/servers/categories.ts";

/** The tabs of a server's page. The first is the default. */
export const serverTabs = ["overview", "tools", "access", "calls"] as const;

export type ServerTab = (typeof serverTabs)[number];

export interface ServerSearch {
  readonly tab?: ServerTab | undefined;
}

export const serverSearch = (search: Record<string, unknown>): ServerSearch => ({
  tab: serverTabs.find((tab) => tab === search["tab"]),
});

/** The search parameters of the catalog. */
export interface CatalogSearch {
  readonly q?: string | undefined;
  readonly category?: Category | undefined;
}

export const catalogSearch = (search: Record<string, unknown>): CatalogSearch => ({
  q: typeof search["q"] === "string" && search["q"] !== "" ? search["q"] : undefined,
  category: categories.find((category) => category === search["category"]),
});

export interface AccessSearch {
  /** A part of agent ids, to filter by. */
  readonly q?: string | undefined;
}

export const accessSearch = ({ q }: Record<string, unknown>): AccessSearch => ({
  q: typeof q === "string" && q !== "" ? q : undefined,
});
