import type { CatalogEntry } from "../CatalogEntry.ts";

export const entries: ReadonlyArray<CatalogEntry> = [];
