import type { PastedServer } from "./configuration.ts";
import styles from "./Import.module.css";

/** The preview of a configuration, without user-supplied values. */
export const ImportPreview = ({
  kind,
  servers,
}: {
  readonly kind: "configuration" | "entry";
  readonly servers: ReadonlyArray<PastedServer>;
}) => (
  <section className={styles["preview"]} aria-label="Preview">
    <p className={styles["quiet"]}>
      {kind === "entry"
        ? "This adds an unverified entry to the catalog. It installs nothing."
        : "Servers that match a catalog entry are installed: disabled, and without access for any agent. Others are skipped."}
    </p>
    <ul className={styles["servers"]}>
      {servers.map(({ fixed, name, runs, variables }) => (
        <li key={name}>
          <span className={styles["name"]}>{name}</span>
          <span className={styles["runs"]}>{runs}</span>
          {variables.length === 0 ? null : (
            <span className={styles["quiet"]}>Imports {variables.join(", ")}</span>
          )}
          {fixed.length === 0 ? null : (
            <span className={styles["quiet"]}>
              The program gets {fixed.length === 1 ? "this variable" : "these variables"} from its
              publisher: <code>{fixed.join(", ")}</code>
            </span>
          )}
        </li>
      ))}
    </ul>
  </section>
);
