import { type RefObject, useEffect, useRef } from "react";
import { useInView } from "../parts/useInView.ts";
import { visible } from "../parts/visible.ts";
import type { ToolEntry } from "./entry.ts";
import { ToolStateBadge } from "./ToolStateBadge.tsx";
import { ToolText } from "./ToolText.tsx";
import styles from "./AcceptTools.module.css";

/** A marker at the end of a text. Calls `onSeen` the first time it is in view. */
const End = ({
  list,
  onSeen,
}: {
  readonly list: RefObject<HTMLElement | null>;
  readonly onSeen: () => void;
}) => {
  const element = useRef<HTMLDivElement>(null);
  const seen = useRef(onSeen);
  useEffect(() => {
    seen.current = onSeen;
  });
  useEffect(() => {
    if (element.current === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((one) => one.isIntersecting)) return;
        seen.current();
        observer.disconnect();
      },
      { root: list.current },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [list]);
  return <div ref={element} />;
};

/** A tool to accept, with its diff. The text renders only near the viewport. */
export const AcceptItem = ({
  entry,
  list,
  onSeen,
}: {
  readonly entry: ToolEntry;
  /** The scroll container. */
  readonly list: RefObject<HTMLElement | null>;
  /** Called once the end of the text has been in view. */
  readonly onSeen: () => void;
}) => {
  const item = useRef<HTMLLIElement>(null);
  const isNear = useInView(item);
  return (
    <li ref={item} className={styles["item"]}>
      <div className={styles["head"]}>
        <h3 className={styles["name"]} dir="auto">
          {visible(entry.name)}
        </h3>
        <span className={styles["server"]}>
          {entry.kind === "prompt" ? `${entry.server}, prompt` : entry.server}
        </span>
        <ToolStateBadge state={entry.state} />
      </div>
      {isNear ? (
        <div className={styles["text"]}>
          <ToolText entry={entry} isBrief />
          <End list={list} onSeen={onSeen} />
        </div>
      ) : null}
    </li>
  );
};
