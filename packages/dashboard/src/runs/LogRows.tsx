import type { CSSProperties, ReactNode } from "react";
import { classes } from "../parts/classes.ts";
import { useLogWindow } from "./useLogWindow.ts";
import list from "../parts/VirtualList.module.css";
import styles from "./RunPage.module.css";

/**
 * The lines of a log. Renders only the visible ones, and costs nothing per line: `VirtualList` goes over all lines each
 * time that one is added or measured.
 */
export const LogRows = ({
  isFollowing,
  items,
  label,
  onFollowing,
  row,
}: {
  /** Positions in the log, ascending. */
  readonly items: ReadonlyArray<number>;
  readonly row: (position: number) => ReactNode;
  readonly label: string;
  readonly isFollowing: boolean;
  readonly onFollowing: (isFollowing: boolean) => void;
}) => {
  const { end, first, offset, onScroll, onWheel, rows, scroller, shownHeight } = useLogWindow(
    items,
    isFollowing,
    onFollowing,
  );
  return (
    <div
      ref={scroller}
      className={classes(list["scroller"], styles["lines"])}
      style={{ "--rows": `${shownHeight}px` } as CSSProperties}
      tabIndex={0}
      onScroll={onScroll}
      onWheel={onWheel}
    >
      <div className={list["rows"]} style={{ height: shownHeight }} role="list" aria-label={label}>
        <div
          ref={rows}
          className={list["row"]}
          role="presentation"
          style={{ transform: `translateY(${offset}px)` }}
        >
          {items.slice(first, end).map((position, index) => (
            <div
              key={position}
              role="listitem"
              aria-posinset={first + index + 1}
              aria-setsize={items.length}
            >
              {row(position)}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
};
