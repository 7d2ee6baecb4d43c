import type { MouseEvent } from "react";
import { focusItem, itemInFocus, itemsOf } from "../parts/steps.ts";

/** Focus movement and clicks on the board and the list. */

export const issues = "[data-issue]";
export const columns = "[data-column]";

/** Focuses the nearest issue of the next nonempty column. */
export const cross = (by: 1 | -1): void => {
  const current = itemInFocus(issues);
  const all = [...document.querySelectorAll<HTMLElement>(columns)];
  const column = current?.closest<HTMLElement>(columns) ?? null;
  const from = column === null ? -1 : all.indexOf(column);
  const top = current?.getBoundingClientRect().top ?? 0;
  for (let at = from + by; at >= 0 && at < all.length; at += by) {
    const next = all[at];
    const found = next === undefined ? [] : itemsOf(issues, next);
    if (found.length > 0) {
      focusItem(found.findLast((one) => one.getBoundingClientRect().top <= top + 8) ?? found[0]);
      return;
    }
  }
};

/** Handles a click on an issue: opens it, or selects it with `mod`. Ignores clicks on its links and buttons. */
export const pressedOn = (event: MouseEvent, open: () => void, select: () => void): void => {
  if (event.metaKey || event.ctrlKey) {
    event.preventDefault();
    select();
  } else if (!event.defaultPrevented && event.target instanceof Element) {
    if (event.target.closest("a, button") === null) open();
  }
};
