import { focusItem, itemInFocus, itemsOf } from "../parts/steps.ts";

/** The keys that choose an option of a question. */
export const choiceKeys = ["first", "second", "third"] as const;

export const items = "[data-item]";

/** The position of the focus in the list. */
export interface Place {
  readonly key: string;
  readonly index: number;
}

export const place = (): Place | null => {
  const current = itemInFocus(items);
  return current === null
    ? null
    : { key: current.dataset["item"] ?? "", index: itemsOf(items).indexOf(current) };
};

/** To the item that took the place of one that left, or to the last. */
export const settle = (at: number): void => {
  const all = itemsOf(items);
  focusItem(all[Math.min(at, all.length - 1)]);
};
