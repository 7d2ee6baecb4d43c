import { useCommands } from "./commands.ts";

/**
 * The matching elements from top to bottom. The DOM order is not reliable: virtual lists render rows in any
 * order.
 */
export const itemsOf = (
  selector: string,
  root: ParentNode = document,
): ReadonlyArray<HTMLElement> =>
  [...root.querySelectorAll<HTMLElement>(selector)].toSorted(
    (a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top,
  );

/** The item that has the focus or contains it. */
export const itemInFocus = (selector: string): HTMLElement | null =>
  document.activeElement?.closest<HTMLElement>(selector) ?? null;

/** Focuses the item, or else its first link, and scrolls it into view as little as possible. */
export const focusItem = (item: HTMLElement | undefined): void => {
  const target = item?.matches("a, button, [tabindex]") === true ? item : item?.querySelector("a");
  target?.focus({ preventScroll: true });
  item?.scrollIntoView({ block: "nearest", inline: "nearest" });
};

/** Registers `j` and `k`, which move the focus between the matching items. */
export const useSteps = (
  selector: string,
  noun: string,
  {
    current = () => itemInFocus(selector),
    onStep,
    within,
  }: {
    /** The item to step from; null starts at the first. */
    readonly current?: () => HTMLElement | null;
    readonly onStep?: (item: HTMLElement) => void;
    /** A selector of containers that a step does not leave, such as columns. */
    readonly within?: string;
  } = {},
): void => {
  const step = (by: 1 | -1) => {
    const from = current();
    const part = within === undefined ? null : (from?.closest(within) ?? null);
    const items = itemsOf(selector, part ?? document);
    const next = from === null ? items[0] : items[items.indexOf(from) + by];
    focusItem(next);
    if (next !== undefined) onStep?.(next);
  };
  const section = "List";
  useCommands([
    { id: "next", title: `Next ${noun}`, section, keys: "j", hidden: true, run: () => step(1) },
    {
      id: "previous",
      title: `Previous ${noun}`,
      section,
      keys: "k",
      hidden: true,
      run: () => step(-1),
    },
  ]);
};
