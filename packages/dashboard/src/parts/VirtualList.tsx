import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef } from "react";
import { classes } from "./classes.ts";
import styles from "./VirtualList.module.css";

export interface VirtualListHandle {
  readonly element: HTMLElement | null;
  readonly scrollTo: (index: number) => void;
}

export interface VirtualListProps<Item> {
  readonly items: ReadonlyArray<Item>;
  readonly keyOf: (item: Item) => string | number;
  readonly row: (item: Item, index: number) => ReactNode;
  /** The estimated height of a row, in pixels. Rendered rows are measured. */
  readonly height: number;
  readonly gap?: number;
  readonly padding?: number;
  readonly label: string;
  readonly role?: "list" | "listbox";
  /**
   * Whether the list takes the focus, so that the keyboard can scroll it. Set it if the rows are not
   * focusable.
   */
  readonly isFocusable?: boolean;
  /** Called when the last rows come into view. */
  readonly onEnd?: (() => void) | undefined;
  readonly className?: string | undefined;
  readonly ref?: Ref<VirtualListHandle>;
}

/** A list that renders only visible rows. */
export const VirtualList = <Item,>({
  className,
  gap = 0,
  height,
  isFocusable = false,
  items,
  keyOf,
  label,
  onEnd,
  padding = 0,
  ref,
  role = "list",
  row,
}: VirtualListProps<Item>) => {
  const element = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => element.current,
    estimateSize: () => height,
    getItemKey: (index) => {
      const item = items[index];
      return item === undefined ? index : keyOf(item);
    },
    overscan: 6,
    gap,
    paddingStart: padding,
    paddingEnd: padding,
  });
  useImperativeHandle(ref, () => ({
    get element() {
      return element.current;
    },
    scrollTo: (index) => virtualizer.scrollToIndex(index, { align: "auto" }),
  }));
  const rows = virtualizer.getVirtualItems();
  const last = rows.at(-1)?.index ?? -1;
  const isAtEnd = items.length > 0 && last >= items.length - 10;
  useEffect(() => {
    if (isAtEnd) onEnd?.();
  }, [isAtEnd, items.length, onEnd]);
  return (
    <div
      ref={element}
      className={classes(styles["scroller"], className)}
      tabIndex={isFocusable ? 0 : -1}
    >
      <div
        className={styles["rows"]}
        style={{ height: virtualizer.getTotalSize() }}
        role={role}
        aria-label={label}
      >
        {rows.map(({ index, key, start }) => {
          const item = items[index];
          return item === undefined ? null : (
            <div
              key={key}
              data-index={index}
              ref={virtualizer.measureElement}
              className={styles["row"]}
              style={{ transform: `translateY(${start}px)` }}
              role={role === "list" ? "listitem" : "presentation"}
              aria-posinset={index + 1}
              aria-setsize={items.length}
            >
              {row(item, index)}
            </div>
          );
        })}
      </div>
    </div>
  );
};
