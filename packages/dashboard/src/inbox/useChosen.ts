import { useCallback, useMemo, useState } from "react";
import type { Listed } from "./items.ts";

const none: ReadonlySet<string> = new Set();

/** The items that the user selected for one action on all of them. Items that left the list are not among them. */
export const useChosen = (items: ReadonlyArray<Listed>) => {
  const [chosen, setChosen] = useState(none);
  const selected = useMemo(
    () => items.flatMap(({ id, item }) => (chosen.has(id) ? [item] : [])),
    [items, chosen],
  );
  /** Selects an item, or no longer. */
  const choose = useCallback(
    (id: string) =>
      setChosen((before) => {
        const next = new Set(before);
        if (!next.delete(id)) next.add(id);
        return next;
      }),
    [],
  );
  const clear = useCallback(() => setChosen(none), []);
  return { chosen, selected, choose, clear };
};
