import type { Model } from "../data/issues/dependencies.ts";

const middle = (element: Element) => {
  const { height, left, top, width } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
};

/**
 * The link of the picture that is nearest in a direction from the link that has the focus: x 1 is to the
 * right, y 1 is down; to the right only what waits for it, to the left only what blocks it. Without a focus
 * the first link, which is the issue that blocks most.
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
