import { useCommands } from "./commands.ts";

/** The elements that match, from top to bottom. Virtual lists render rows in any order. */
export const itemsOf = (
  selector: string,
  root: ParentNode = document,
): ReadonlyArray<HTMLElement> =>
  [...root.querySelectorAll<HTMLElement>(selector)].toSorted(
    (a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top,
  );

/** The item that has the focus, itself or inside of it. */
export const itemInFocus = (selector: string): HTMLElement | null =>
  document.activeElement?.closest<HTMLElement>(selector) ?? null;

/** Focuses the item, or its first link, and scrolls no further than it takes to see it. */
export const focusItem = (item: HTMLElement | undefined): void => {
  const target = item?.matches("a, button, [tabindex]") === true ? item : item?.querySelector("a");
  target?.focus({ preventScroll: true });
  item?.scrollIntoView({ block: "nearest", inline: "nearest" });
};

/** `j` and `k` move the focus between the items that match. */
export const useSteps = (
  selector: string,
  noun: string,
  {
    current = () => itemInFocus(selector),
    onStep,
    within,
  }: {
    /** The item to start at; null for the first. */
    readonly current?: () => HTMLElement | null;
    readonly onStep?: (item: HTMLElement) => void;
    /** Matches the parts of the screen that a step does not leave, such as columns. */
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
