import { focusItem, itemInFocus, itemsOf } from "../parts/steps.ts";

/** The names of the keys that select an option of a question. */
export const choiceKeys = ["first", "second", "third"] as const;

export const items = "[data-item]";

/** The focused item: its key and its index in the list. */
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

/** Focuses the item at an index; if the list is shorter, its last item. */
export const settle = (at: number): void => {
  const all = itemsOf(items);
  focusItem(all[Math.min(at, all.length - 1)]);
};
