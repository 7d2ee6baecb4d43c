import { memo } from "react";
import type { InboxItem } from "../data/inbox/inbox.ts";
import { classes } from "../parts/classes.ts";
import { Icon } from "../parts/Icon.tsx";
import { plainOf } from "../parts/plain.ts";
import { PriorityIcon } from "../parts/PriorityIcon.tsx";
import { RelativeTime } from "../parts/RelativeTime.tsx";
import { looks } from "./kinds.ts";
import styles from "./List.module.css";
import tones from "./Tone.module.css";

/** The kinds whose detail tells more than their title. */
const withDetail: ReadonlySet<InboxItem["kind"]> = new Set([
  "question",
  "mentioned",
  "effectUnknown",
  "runnerHalted",
  "serverError",
  "webhookFailing",
]);

/** An item in two lines. */
export const Row = memo(
  ({
    id,
    isChosen,
    isOver,
    isRefused,
    isShown,
    item,
    onChoose,
    onOpen,
    onShow,
  }: {
    readonly id: string;
    readonly item: InboxItem;
    /** Whether the item is selected for an action on several items. */
    readonly isChosen: boolean;
    /** Whether the item is no longer in the inbox. */
    readonly isOver: boolean;
    readonly isRefused: boolean;
    /** Whether the item is beside the list. */
    readonly isShown: boolean;
    readonly onChoose: (id: string) => void;
    /** Follows the item: Enter opens its issue. */
    readonly onOpen: (item: InboxItem) => void;
    readonly onShow: (id: string) => void;
  }) => {
    const { icon, name, tone } = looks[item.kind];
    return (
      <div
        className={classes(styles["row"], isOver && styles["over"])}
        data-shown={isShown}
        data-chosen={isChosen}
      >
        <label className={styles["sign"]} data-tone={tone}>
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={`Select ${item.title}`}
            checked={isChosen}
            onChange={() => onChoose(id)}
          />
          <Icon name={icon} />
        </label>
        <button
          type="button"
          className={styles["open"]}
          data-row={id}
          tabIndex={isShown ? 0 : -1}
          aria-current={isShown}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey) onChoose(id);
            else onShow(id);
          }}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            onOpen(item);
          }}
        >
          <span className={styles["title"]} dir="auto">
            {item.title}
          </span>
          <RelativeTime iso={item.since} prefix="Since" />
          <span className={styles["facts"]}>
            {isRefused ? <b className={tones["danger"]}>Not saved</b> : null}
            <span className={tones[tone]}>{name}</span>
            {item.issueKey === null ? null : <span>{item.issueKey}</span>}
            {item.blocks === null || item.blocks === 0 ? null : (
              <span>Blocks {item.blocks === 100 ? "100 or more" : item.blocks}</span>
            )}
            {withDetail.has(item.kind) ? (
              <span className={styles["words"]} dir="auto">
                {plainOf(item.detail)}
              </span>
            ) : item.issueId !== null && item.agentId !== null ? (
              <bdi className={styles["words"]}>{item.agentId}</bdi>
            ) : null}
          </span>
          {item.issueId === null ? null : <PriorityIcon priority={item.priority} size={12} />}
        </button>
      </div>
    );
  },
);
Row.displayName = "Row";
