import { type RefObject, useEffect, useState } from "react";
import type { VirtualListHandle } from "../parts/VirtualList.tsx";

/** Pixels from the end within which the list counts as scrolled to its end. */
const nearEnd = 24;

/** Scrolls a growing list to its end until the user scrolls up, and again once the user is back at the end. */
export const useFollowing = (
  list: RefObject<VirtualListHandle | null>,
  count: number,
  version: number,
) => {
  const [isFollowing, setFollowing] = useState(true);
  const isEmpty = count === 0;
  useEffect(() => {
    if (isFollowing && count > 0) list.current?.scrollTo(count - 1);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a line may grow without a new one
  }, [count, isFollowing, list, version]);
  useEffect(() => {
    const element = isEmpty ? null : (list.current?.element ?? null);
    if (element === null) return undefined;
    const onScroll = () => {
      const { clientHeight, scrollHeight, scrollTop } = element;
      setFollowing(scrollHeight - scrollTop - clientHeight < nearEnd);
    };
    const events = ["wheel", "touchmove", "keyup", "pointerup"] as const;
    for (const event of events) element.addEventListener(event, onScroll, { passive: true });
    return () => {
      for (const event of events) element.removeEventListener(event, onScroll);
    };
  }, [isEmpty, list]);
  return { isFollowing, setFollowing };
};
