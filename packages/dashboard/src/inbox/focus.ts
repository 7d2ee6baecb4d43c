/** The focus between the items. */

/** The keys that choose an option of a question. */
export const choiceKeys = ["first", "second", "third"] as const;

const all = () => [...document.querySelectorAll<HTMLElement>("[data-item]")];

/** The item that has the focus, itself or inside of it. */
export const focused = (): HTMLElement | null =>
  document.activeElement?.closest<HTMLElement>("[data-item]") ?? null;

const show = (element: HTMLElement | undefined) => {
  element?.focus({ preventScroll: true });
  element?.scrollIntoView({ block: "nearest" });
};

export const step = (by: 1 | -1): void => {
  const items = all();
  const current = focused();
  show(current === null ? items[0] : items[items.indexOf(current) + by]);
};

/** Where the focus is in the list. */
export interface Place {
  readonly key: string;
  readonly index: number;
}

export const place = (): Place | null => {
  const current = focused();
  return current === null
    ? null
    : { key: current.dataset["item"] ?? "", index: all().indexOf(current) };
};

/** To the item that took the place of one that left, or to the last. */
export const settle = (at: number): void => {
  const items = all();
  show(items[Math.min(at, items.length - 1)]);
};
