import type { CatalogEntry } from "../../CatalogEntry.ts";
import { cloud } from "./cloud.ts";
import { database } from "./database.ts";
import { dev } from "./dev.ts";
import { productivity } from "./productivity.ts";
import { saas } from "./saas.ts";
import { search } from "./search.ts";

/**
 * The built-in entries. `verified` are those published by the maker of what they serve, or by the
 * protocol's own project; the others are by the community. `docs/catalog-report.md` says what
 * was seen when they were last started.
 */
export const entries: ReadonlyArray<CatalogEntry> = [
  ...database,
  ...saas,
  ...search,
  ...cloud,
  ...dev,
  ...productivity,
].map((entry) => ({ ...entry, source: "builtin" }));
