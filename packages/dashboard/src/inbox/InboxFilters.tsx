import { getRouteApi } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import type { InboxFilter } from "../data/inbox/inbox.ts";
import { useProjectNames } from "../data/issues/projects.ts";
import { Button } from "../parts/Button.tsx";
import { FilterChip } from "../parts/FilterChip.tsx";
import { Icon } from "../parts/Icon.tsx";
import { lazily } from "../parts/lazily.ts";
import { Opening } from "../parts/Opening.tsx";
import { looks } from "./kinds.ts";
import styles from "./Inbox.module.css";

const route = getRouteApi("/inbox");

const InboxFilterMenu = lazily(() => import("./InboxFilterMenu.tsx"), "InboxFilterMenu");

const without = <Value,>(values: ReadonlyArray<Value> | undefined, value: Value) => {
  const rest = values?.filter((other) => other !== value) ?? [];
  return rest.length === 0 ? undefined : rest;
};

/** The active filters of the inbox, stored in the URL. */
export const InboxFilters = ({ search }: { readonly search: InboxFilter }) => {
  const navigate = route.useNavigate();
  const [anchor, setAnchor] = useState<Element | null>(null);
  const projectName = useProjectNames();
  // The rendered search may lack a change that was made just before this one.
  const set = (change: (before: InboxFilter) => InboxFilter) =>
    void navigate({
      search: (before) => ({ ...before, item: undefined, ...change(before) }),
    });
  return (
    <div className={styles["filters"]}>
      <Button
        variant="quiet"
        data-filter
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Icon name="filter" />
        Filter
      </Button>
      {search.kind?.map((kind) => (
        <FilterChip
          key={kind}
          text={looks[kind].name}
          onClear={() => set((before) => ({ kind: without(before.kind, kind) }))}
        />
      ))}
      {search.project?.map((id) => (
        <FilterChip
          key={id}
          text={projectName(id)}
          onClear={() => set((before) => ({ project: without(before.project, id) }))}
        />
      ))}
      {search.mine === true ? (
        <FilterChip text="Mine" onClear={() => set(() => ({ mine: undefined }))} />
      ) : null}
      <Suspense fallback={<Opening />}>
        {anchor === null ? null : (
          <InboxFilterMenu
            anchor={anchor}
            search={search}
            set={set}
            onClose={() => setAnchor(null)}
          />
        )}
      </Suspense>
    </div>
  );
};
