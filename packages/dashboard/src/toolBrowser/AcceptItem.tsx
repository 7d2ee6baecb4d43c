import { type RefObject, useEffect, useRef } from "react";
import { useInView } from "../parts/useInView.ts";
import { visible } from "../parts/visible.ts";
import type { ToolEntry } from "./entry.ts";
import { ToolStateBadge } from "./ToolStateBadge.tsx";
import { ToolText } from "./ToolText.tsx";
import styles from "./AcceptTools.module.css";

/** The end of a text, which calls `onSeen` once it has been in view. */
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

/** A tool that may be accepted, with its differences. Its text is rendered when it comes near the view. */
export const AcceptItem = ({
  entry,
  list,
  onSeen,
}: {
  readonly entry: ToolEntry;
  /** The element that scrolls. */
  readonly list: RefObject<HTMLElement | null>;
  /** Called after the end of its text was in view. */
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
        <span className={styles["server"]}>{entry.server}</span>
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
