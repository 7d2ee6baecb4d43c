import { useLayoutEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { indexOf } from "../data/logFilter.ts";
import { RowHeights } from "./rowHeights.ts";

/** The height of a line that is not wrapped, in pixels. */
const lineHeight = 19;
/** Rows that are rendered above and below the visible ones. */
const more = 16;
/** The height that all browsers support. In a taller list, a pixel of the scrollbar is more than one of the list. */
const tallest = 15_000_000;
/** Pixels from the end within which the list counts as scrolled to its end. */
const nearEnd = 24;

/**
 * The visible part of a long list, for a scroller and the element in it that has the rows `first` to `end`. `items` may
 * grow in place. Stays at the end while `isFollowing`, which the user ends by scrolling up; otherwise stays at the first
 * visible item, also when other items are shown or lines are wrapped at another width.
 */
export const useLogWindow = (
  items: ReadonlyArray<number>,
  isFollowing: boolean,
  onFollowing: (isFollowing: boolean) => void,
) => {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 0, width: 0 });
  const [measured, setMeasured] = useState(0);
  /** The first visible item, and the pixels of it that are scrolled out. */
  const anchor = useRef({ position: 0, offset: 0 });
  const { height, width } = view;
  const list = useMemo(
    () => ({ items, width, heights: new RowHeights(lineHeight) }),
    [items, width],
  );
  const { heights } = list;
  const total = heights.topOf(items.length);
  const shownHeight = Math.min(total, tallest);
  const scale = total > tallest ? (total - height) / (tallest - height) : 1;
  const scrollTop = isFollowing ? Math.max(0, shownHeight - height) : view.top;
  const top = scrollTop * scale;
  const first = Math.max(0, heights.rowAt(top) - more);
  const end = Math.min(items.length, heights.rowAt(top + height) + 1 + more);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() =>
      setView({
        top: element.scrollTop,
        height: element.clientHeight,
        width: element.clientWidth,
      }),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || anchor.current.position === 0) return;
    const { offset, position } = anchor.current;
    const to = list.heights.topOf(indexOf(list.items, position)) + offset;
    element.scrollTop = to / scale;
    // oxlint-disable-next-line react/exhaustive-deps -- the list is a new one, not its length
  }, [list]);

  // oxlint-disable-next-line react/exhaustive-deps -- ends, because a height is new once
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const atTop = heights.rowAt(top);
    let isChanged = false;
    let above = 0;
    for (const [index, child] of [...(rows.current?.children ?? [])].entries()) {
      const by = heights.set(first + index, child.getBoundingClientRect().height);
      isChanged ||= by !== 0;
      if (first + index < atTop) above += by;
    }
    if (isChanged) setMeasured(measured + 1);
    if (isFollowing) element.scrollTop = element.scrollHeight;
    else if (above !== 0) element.scrollTop += above / scale;
    const now = element.scrollTop * scale;
    const from = heights.rowAt(now);
    anchor.current = { position: items[from] ?? 0, offset: now - heights.topOf(from) };
  });

  const onScroll = () => {
    const element = scroller.current;
    if (element === null) return;
    const { clientHeight, scrollHeight, scrollTop: now } = element;
    // Otherwise a frame would show no rows.
    flushSync(() => {
      const isAtEnd = scrollHeight - now - clientHeight < nearEnd;
      if (isAtEnd && now > view.top) onFollowing(true);
      else if (!isAtEnd && now < view.top) onFollowing(false);
      setView((before) => ({ ...before, top: now }));
    });
  };

  // A slow movement stays near the end, where the next line would take it back.
  const onWheel = ({ deltaY }: { readonly deltaY: number }) => {
    const element = scroller.current;
    if (deltaY < 0 && element !== null && element.scrollTop > 0) onFollowing(false);
  };

  return {
    scroller,
    rows,
    onScroll,
    onWheel,
    first,
    end,
    /** The height of the whole list, and the distance of the rows from its start. */
    shownHeight,
    offset: scrollTop + heights.topOf(first) - top,
  };
};
