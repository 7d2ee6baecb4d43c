import { memo } from "react";
import { visible } from "../parts/visible.ts";
import { type ToolEntry, tokensText } from "./entry.ts";
import { ToolStateBadge } from "./ToolStateBadge.tsx";
import styles from "./ToolRow.module.css";

export const ToolRow = memo(
  ({
    entry,
    isOpen,
    onOpen,
    showsServer,
  }: {
    readonly entry: ToolEntry;
    readonly isOpen: boolean;
    readonly showsServer: boolean;
    readonly onOpen: (entry: ToolEntry) => void;
  }) => (
    <button
      type="button"
      className={styles["row"]}
      data-tool={entry.id}
      aria-current={isOpen}
      onClick={() => onOpen(entry)}
    >
      <span className={styles["words"]}>
        <span className={styles["name"]} dir="auto">
          {visible(entry.name)}
        </span>
        <span className={styles["summary"]} dir="auto">
          {entry.reason ?? visible(entry.summary)}
        </span>
      </span>
      {showsServer ? <span className={styles["server"]}>{entry.server}</span> : null}
      <span className={styles["tokens"]}>
        {entry.kind === "prompt" ? "Prompt" : null}
        {entry.tokens === null ? null : tokensText(entry.tokens)}
      </span>
      <span className={styles["state"]}>
        <ToolStateBadge state={entry.state} />
      </span>
    </button>
  ),
);
ToolRow.displayName = "ToolRow";
