import type { CatalogEntry } from "../../CatalogEntry.ts";
import { cloud } from "./cloud.ts";
import { database } from "./database.ts";
import { dev } from "./dev.ts";
import { productivity } from "./productivity.ts";
import { saas } from "./saas.ts";
import { search } from "./search.ts";

/**
 * The built-in entries. `verified` entries are published by the vendor of the service or by the
 * maintainers of MCP; the others are by the community. `docs/catalog-report.md` contains the
 * results of their last start.
 */
export const entries: ReadonlyArray<CatalogEntry> = [
  ...database,
  ...saas,
  ...search,
  ...cloud,
  ...dev,
  ...productivity,
].map((entry) => ({ ...entry, source: "builtin" }));
