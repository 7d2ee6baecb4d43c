import { Suspense, useState } from "react";
import { Button } from "../parts/Button.tsx";
import { Icon } from "../parts/Icon.tsx";
import { lazily } from "../parts/lazily.ts";
import { Opening } from "../parts/Opening.tsx";
import type { WorkSearch } from "./search.ts";

const DisplayMenu = lazily(() => import("./DisplayMenu.tsx"), "DisplayMenu");

/** The button that opens the order, the groups and the columns of the list. */
export const Display = ({
  search,
  set,
}: {
  readonly search: WorkSearch;
  readonly set: (change: WorkSearch) => void;
}) => {
  const [anchor, setAnchor] = useState<Element | null>(null);
  return (
    <>
      <Button
        variant="quiet"
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Icon name="list" />
        Display
      </Button>
      <Suspense fallback={<Opening />}>
        {anchor === null ? null : (
          <DisplayMenu anchor={anchor} search={search} set={set} onClose={() => setAnchor(null)} />
        )}
      </Suspense>
    </>
  );
};
