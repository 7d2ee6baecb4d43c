import type { Model } from "../data/issues/dependencies.ts";

const middle = (element: Element) => {
  const { height, left, top, width } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
};

/**
 * The nearest link in a direction from the focused link. `x` 1 is right, `y` 1 is down. Right considers
 * only dependents, left only blockers. Without a focused link it returns the first link, which is the issue
 * that blocks most.
 */
export const nearest = (x: number, y: number, { byId }: Model): HTMLElement | undefined => {
  const links = [...document.querySelectorAll<HTMLElement>("[data-picture] a[data-id]")];
  const from = links.find((link) => link === document.activeElement);
  if (from === undefined) return links[0];
  const item = byId.get(from.dataset["id"] ?? "");
  const linked = x === 0 ? undefined : x > 0 ? item?.dependents : item?.blockers;
  const start = middle(from);
  const found = links
    .filter((link) => link !== from && linked?.includes(link.dataset["id"] ?? "") !== false)
    .map((link) => {
      const at = middle(link);
      const along = (at.x - start.x) * x + (at.y - start.y) * y;
      const across = Math.abs((at.x - start.x) * y) + Math.abs((at.y - start.y) * x);
      return { link, along, distance: along + across * 2 };
    })
    .filter(({ along }) => along > 1)
    .toSorted((a, b) => a.distance - b.distance);
  return found[0]?.link;
};
