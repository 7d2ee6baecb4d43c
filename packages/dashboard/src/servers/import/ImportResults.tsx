import { Link } from "@tanstack/react-router";
import type { ImportResult } from "../../data/servers/servers.ts";
import { Badge } from "../../parts/Badge.tsx";
import styles from "./Import.module.css";

const words = { installed: "Installed", skipped: "Skipped", created: "Created" } as const;

/** The result for each server of the configuration. */
export const ImportResults = ({
  onClose,
  results,
}: {
  readonly results: ReadonlyArray<ImportResult>;
  readonly onClose: () => void;
}) => (
  <ul className={styles["servers"]} aria-label="Results">
    {results.map(({ catalogId, details, name, server, status }) => (
      <li key={name}>
        <span className={styles["head"]}>
          <span className={styles["name"]}>{name}</span>
          <Badge tone={status === "skipped" ? "warning" : "success"} text={words[status]} />
          {server === null ? null : (
            <Link
              to="/servers/$serverId"
              params={{ serverId: server.id }}
              className={styles["link"] ?? ""}
              onClick={onClose}
            >
              Open {server.name}
            </Link>
          )}
          {catalogId === undefined ? null : (
            <Link
              to="/servers/catalog/$entryId"
              params={{ entryId: catalogId }}
              className={styles["link"] ?? ""}
              onClick={onClose}
            >
              Open {catalogId}
            </Link>
          )}
        </span>
        {details === null ? null : <span className={styles["quiet"]}>{details}</span>}
      </li>
    ))}
  </ul>
);
