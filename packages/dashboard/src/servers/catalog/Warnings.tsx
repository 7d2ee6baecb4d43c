import type { CatalogEntry, HostReport } from "../../data/servers/catalog.ts";
import { Icon } from "../../parts/Icon.tsx";
import { runtimeWarning, sandboxWarning } from "./warnings.ts";
import styles from "./Entry.module.css";

/** Warnings before an installation on this host. */
export const Warnings = ({
  entry,
  host,
}: {
  readonly entry: CatalogEntry;
  readonly host: HostReport;
}) => {
  const sentences = [
    runtimeWarning(entry, host),
    sandboxWarning(entry, host),
    entry.verified === true ? null : "This entry is unverified. Install it only if you trust it.",
  ].filter((sentence) => sentence !== null);
  return sentences.length === 0 ? null : (
    <ul className={styles["warnings"]} aria-label="Warnings">
      {sentences.map((sentence) => (
        <li key={sentence}>
          <Icon name="warning" size={14} />
          <span>{sentence}</span>
        </li>
      ))}
    </ul>
  );
};
