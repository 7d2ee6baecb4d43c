import type { MouseEvent } from "react";

/** Moves the focus between the issues that are on the screen, and tells clicks on them apart. */

const issues = (root: ParentNode): ReadonlyArray<HTMLElement> =>
  [...root.querySelectorAll<HTMLElement>("[data-issue]")].toSorted(
    (a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top,
  );

const columnOf = (element: Element | null) =>
  element?.closest<HTMLElement>("[data-column]") ?? null;

/** The element of the issue that has the focus. */
export const focused = (): HTMLElement | null =>
  document.activeElement?.closest<HTMLElement>("[data-issue]") ?? null;

const show = (element: HTMLElement | undefined) => {
  element?.focus({ preventScroll: true });
  element?.scrollIntoView({ block: "nearest", inline: "nearest" });
};

/** To the next or previous issue of the column or list. */
export const step = (by: 1 | -1): void => {
  const current = focused();
  const all = issues(columnOf(current) ?? document);
  show(current === null ? all[0] : all[all.indexOf(current) + by]);
};

/** To the nearest issue of the next column that has one. */
export const cross = (by: 1 | -1): void => {
  const current = focused();
  const columns = [...document.querySelectorAll<HTMLElement>("[data-column]")];
  const column = columnOf(current);
  const from = column === null ? -1 : columns.indexOf(column);
  const top = current?.getBoundingClientRect().top ?? 0;
  for (let at = from + by; at >= 0 && at < columns.length; at += by) {
    const next = columns[at];
    const found = next === undefined ? [] : issues(next);
    if (found.length > 0) {
      show(found.findLast((one) => one.getBoundingClientRect().top <= top + 8) ?? found[0]);
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
