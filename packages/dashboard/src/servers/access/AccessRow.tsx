import { memo } from "react";
import type { AccessEntry } from "../../data/servers/access.ts";
import { Badge } from "../../parts/Badge.tsx";
import { tokensText } from "../../toolBrowser/entry.ts";
import { toolsText } from "./access.ts";
import styles from "./AccessTab.module.css";

/** The access of one agent to the server. */
export const AccessRow = memo(
  ({
    entry,
    isReadable,
    name,
    onOpen,
    onToggle,
  }: {
    readonly entry: AccessEntry;
    /** Whether the row is read-only. */
    readonly isReadable: boolean;
    readonly onOpen: (entry: AccessEntry, anchor: Element) => void;
    readonly onToggle: (entry: AccessEntry) => void;
    readonly name: string | undefined;
  }) => (
    <div className={styles["row"]} data-granted={entry.granted}>
      <input
        type="checkbox"
        role="switch"
        className={styles["switch"]}
        aria-label={`Access for ${entry.agentId}`}
        checked={entry.granted}
        disabled={isReadable}
        onChange={() => onToggle(entry)}
      />
      <button
        type="button"
        className={styles["open"]}
        data-access={entry.agentId}
        aria-haspopup="dialog"
        onClick={(event) => onOpen(entry, event.currentTarget)}
      >
        <span className={styles["agent"]} dir="auto" title={entry.agentId}>
          {name ?? entry.agentId}
        </span>
        <span className={styles["limits"]}>
          {entry.readOnly ? <Badge text="Read-only" /> : null}
          {entry.callsPerMinute === null ? null : <Badge text={`${entry.callsPerMinute}/min`} />}
          {entry.maxConcurrentCalls === null ? null : (
            <Badge text={`${entry.maxConcurrentCalls} in flight`} />
          )}
        </span>
        <span className={styles["tools"]}>{toolsText(entry)}</span>
        <span className={styles["tokens"]}>{entry.granted ? tokensText(entry.tokens) : ""}</span>
      </button>
    </div>
  ),
);
AccessRow.displayName = "AccessRow";
