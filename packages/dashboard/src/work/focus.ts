import type { MouseEvent } from "react";
import { focusItem, itemInFocus, itemsOf } from "../parts/steps.ts";

/** Moves the focus between the issues that are on the screen, and tells clicks on them apart. */

export const issues = "[data-issue]";
export const columns = "[data-column]";

/** To the nearest issue of the next column that has one. */
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

/** A click on an issue opens it, and one with `mod` selects it. Its buttons have clicks of their own. */
export const pressedOn = (event: MouseEvent, open: () => void, select: () => void): void => {
  if (event.metaKey || event.ctrlKey) {
    event.preventDefault();
    select();
  } else if (!event.defaultPrevented && event.target instanceof Element) {
    if (event.target.closest("a, button") === null) open();
  }
};
