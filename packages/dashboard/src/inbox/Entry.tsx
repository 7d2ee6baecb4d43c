import { Link, useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, memo, useRef } from "react";
import { keyOf, useDismiss } from "../data/inbox/answers.ts";
import type { InboxItem } from "../data/inbox/inbox.ts";
import { Button } from "../parts/Button.tsx";
import { classes } from "../parts/classes.ts";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { Icon } from "../parts/Icon.tsx";
import { PriorityIcon } from "../parts/PriorityIcon.tsx";
import { RelativeTime } from "../parts/RelativeTime.tsx";
import { useInView } from "../parts/useInView.ts";
import { Answers } from "./Answers.tsx";
import { looks } from "./kinds.ts";
import { pathOf } from "./places.ts";
import styles from "./Entry.module.css";

export const Entry = memo(
  ({
    error,
    isOver,
    item,
  }: {
    readonly item: InboxItem;
    /** The error of the last answer; null if there was none. */
    readonly error: unknown;
    /** Whether the item is no longer in the inbox. */
    readonly isOver: boolean;
  }) => {
    const dismiss = useDismiss();
    const element = useRef<HTMLElement>(null);
    const isInView = useInView(element);
    const navigate = useNavigate();
    const { icon, name, tone } = looks[item.kind];
    const path = pathOf(item);
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Enter" || event.target !== element.current || path === null) return;
      event.preventDefault();
      void navigate({ to: path });
    };
    return (
      // The article takes the focus of `j` and `k`; Enter follows the link inside.
      <article
        ref={element}
        className={styles["entry"]}
        data-item={keyOf(item)}
        tabIndex={0}
        aria-label={`${name}: ${item.title}`}
        onKeyDown={onKeyDown}
      >
        <span className={classes(styles["sign"], styles[tone])}>
          <Icon name={icon} />
        </span>
        <div className={styles["body"]}>
          <h2 className={styles["title"]} dir="auto">
            {path === null ? (
              item.title
            ) : (
              <Link to={path} tabIndex={-1}>
                {item.title}
              </Link>
            )}
          </h2>
          <div className={styles["facts"]}>
            <span className={styles[tone]}>{name}</span>
            {item.issueId === null ? null : <PriorityIcon priority={item.priority} size={12} />}
            {item.projectId === null ? null : <span>{item.projectId}</span>}
            {item.agentId === null || item.issueId === null ? null : <span>{item.agentId}</span>}
          </div>
          {isOver ? (
            <p className={styles["note"]}>
              This item no longer needs an answer. Your text stays here until you dismiss it.
            </p>
          ) : null}
          <Answers item={item} isInView={isInView} />
          {error === null ? null : <ErrorNote error={error} />}
          {isOver ? (
            <div className={styles["buttons"]}>
              <Button small onClick={() => dismiss(item)}>
                Dismiss
              </Button>
            </div>
          ) : null}
        </div>
        <RelativeTime iso={item.since} prefix="Since" />
      </article>
    );
  },
);
Entry.displayName = "Entry";
