import { Link } from "@tanstack/react-router";
import type { CatalogEntrySummary, HostReport } from "../../data/servers/catalog.ts";
import { Badge } from "../../parts/Badge.tsx";
import { EntryBadges } from "./EntryBadges.tsx";
import { runtimeWarning } from "./warnings.ts";
import styles from "./Catalog.module.css";

/** A catalog entry in the list. */
export const EntryCard = ({
  entry,
  host,
  installed,
}: {
  readonly entry: CatalogEntrySummary;
  readonly host: HostReport | undefined;
  /** The number of servers installed from the entry. */
  readonly installed: number;
}) => {
  const warning = host === undefined ? null : runtimeWarning(entry, host);
  return (
    <li>
      <Link
        to="/servers/catalog/$entryId"
        params={{ entryId: entry.id }}
        className={styles["card"] ?? ""}
        data-item
      >
        <span className={styles["name"]}>{entry.name}</span>
        <span className={styles["description"]}>{entry.description}</span>
        <span className={styles["badges"]}>
          <EntryBadges entry={entry} />
          {installed === 0 ? null : (
            <Badge
              tone="success"
              text={installed === 1 ? "Installed" : `Installed ${installed} times`}
            />
          )}
          {warning === null ? null : <Badge tone="warning" icon="warning" text={warning} />}
        </span>
      </Link>
    </li>
  );
};
