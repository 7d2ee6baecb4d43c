import type { AccessEntry } from "../../data/servers/access.ts";
import type { InstalledServer } from "../../data/servers/servers.ts";
import { limitsText, toolsText } from "./access.ts";
import styles from "./AccessMatrix.module.css";

/** The access of one agent to one server. Enter opens the form, Space grants or revokes. */
export const AccessCell = ({
  entry,
  id,
  isCurrent,
  onFocus,
  onOpen,
  onToggle,
  server,
}: {
  readonly id: string;
  /** Null until it is loaded. */
  readonly entry: AccessEntry | null;
  readonly server: InstalledServer | undefined;
  readonly isCurrent: boolean;
  readonly onFocus: () => void;
  readonly onOpen: (serverId: string, entry: AccessEntry, anchor: Element) => void;
  readonly onToggle: (serverId: string, entry: AccessEntry) => void;
}) => {
  const limits = entry === null ? "" : limitsText(entry);
  return (
    <div
      role="gridcell"
      className={styles["cell"]}
      data-cell={id}
      data-granted={entry?.granted ?? false}
      tabIndex={isCurrent ? 0 : -1}
      onFocus={onFocus}
      onClick={(event) => {
        if (entry !== null && server !== undefined) onOpen(server.id, entry, event.currentTarget);
      }}
      onKeyDown={(event) => {
        if (
          entry === null ||
          server === undefined ||
          (event.key !== "Enter" && event.key !== " ")
        ) {
          return;
        }
        event.preventDefault();
        if (event.key === " ") onToggle(server.id, entry);
        else onOpen(server.id, entry, event.currentTarget);
      }}
    >
      {entry?.granted === true ? (
        <>
          <span>{toolsText(entry)}</span>
          {limits === "" ? null : <small title={limits}>{limits}</small>}
        </>
      ) : (
        <span aria-label={entry === null ? "Loading" : "No access"} role="img">
          {entry === null ? "" : "–"}
        </span>
      )}
    </div>
  );
};
