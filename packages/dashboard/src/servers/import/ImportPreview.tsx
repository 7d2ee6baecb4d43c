import type { PastedServer } from "./configuration.ts";
import styles from "./Import.module.css";

/** What the configuration has, without values. */
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
        ? "It becomes an entry of the catalog that nobody vetted. Nothing is installed."
        : "Servers that match an entry of the catalog are installed, disabled and granted to no agent. Others are skipped."}
    </p>
    <ul className={styles["servers"]}>
      {servers.map(({ name, runs, variables }) => (
        <li key={name}>
          <span className={styles["name"]}>{name}</span>
          <span className={styles["runs"]}>{runs}</span>
          {variables.length === 0 ? null : (
            <span className={styles["quiet"]}>Takes over {variables.join(", ")}</span>
          )}
        </li>
      ))}
    </ul>
  </section>
);
