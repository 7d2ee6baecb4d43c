import type { CatalogEntrySummary } from "../../data/servers/catalog.ts";
import { Badge } from "../../parts/Badge.tsx";
import { categoryNames } from "../words.ts";

/** The badges of an entry: kind of service, location and publisher. */
export const EntryBadges = ({ entry }: { readonly entry: CatalogEntrySummary }) => (
  <>
    <Badge text={categoryNames[entry.category]} />
    <Badge text={entry.transport === "stdio" ? "On the host" : "Remote"} />
    {entry.verified === true ? (
      <Badge
        tone="accent"
        icon="check"
        text="Vetted"
        title="Published by the vendor of the service, or by the maintainers of MCP"
      />
    ) : null}
    {entry.source === "own" ? <Badge text="Custom" /> : null}
    {entry.source === "file" ? <Badge text="From this host" /> : null}
  </>
);
