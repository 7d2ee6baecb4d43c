import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { VirtualListHandle } from "../parts/VirtualList.tsx";
import type { Listed, ListRow } from "./items.ts";

const rowOf = (id: string) => document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`);

interface Place {
  readonly id: string | undefined;
  /** The items around it when it was last in the list, and its index there. */
  readonly items: ReadonlyArray<Listed>;
  readonly index: number;
  /** The shown item that left the list, until the user shows another one. */
  readonly left?: string | undefined;
}

/** The index of the item that takes the position of one that left the list. */
const successor = ({ index, items: before }: Place, items: ReadonlyArray<Listed>): number => {
  const indexes = new Map(items.map(({ id }, at) => [id, at]));
  const next = before.slice(index + 1).find(({ id }) => indexes.has(id));
  return next === undefined ? items.length - 1 : (indexes.get(next.id) ?? 0);
};

/**
 * The item beside the list. It stays the same when others come and go. When it leaves the list, the item
 * that takes its position follows; if its answer is taken back or refused, it returns, unless the user went on.
 */
export const useShown = (
  items: ReadonlyArray<Listed>,
  rows: ReadonlyArray<ListRow>,
  list: RefObject<VirtualListHandle | null>,
  initial: string | undefined,
) => {
  const [place, setPlace] = useState<Place>({ id: initial, items, index: 0 });
  const at = items.findIndex(({ id }) => id === place.id);
  const index = at >= 0 ? at : place.id === undefined ? 0 : successor(place, items);
  const current = items[index];
  const id = current?.id;
  const returned = items.find((one) => one.isUnsent && one.id === place.left)?.id;
  if (returned !== undefined) setPlace({ id: returned, items, index });
  else if (items !== place.items || id !== place.id) {
    setPlace({ id, items, index, left: id === place.id ? place.left : place.id });
  }

  // An item that left the list takes the focus with it.
  const before = useRef(id);
  useEffect(() => {
    if (before.current !== undefined && id !== undefined && before.current !== id) {
      if (document.activeElement === document.body) rowOf(id)?.focus({ preventScroll: true });
    }
    before.current = id;
  }, [id]);

  const show = useCallback(
    (next: string) => setPlace((now) => ({ ...now, id: next, left: undefined })),
    [],
  );
  const step = (by: 1 | -1) => {
    const next = items[index + by];
    if (next === undefined) return;
    show(next.id);
    list.current?.scrollTo(rows.findIndex((row) => row.id === next.id));
    requestAnimationFrame(() => rowOf(next.id)?.focus({ preventScroll: true }));
  };
  /** Marks that the user went on with the shown item. */
  const stay = () => {
    if (place.left !== undefined) setPlace({ ...place, left: undefined });
  };
  return { current, show, stay, step };
};
