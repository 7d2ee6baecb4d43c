import { useNavigate } from "@tanstack/react-router";
import { type RefObject, Suspense, useState } from "react";
import { useName } from "../data/live/names.ts";
import { Button } from "../parts/Button.tsx";
import { FilterChip } from "../parts/FilterChip.tsx";
import { FindField } from "../parts/FindField.tsx";
import { Icon } from "../parts/Icon.tsx";
import { lazily } from "../parts/lazily.ts";
import { Opening } from "../parts/Opening.tsx";
import { statusName } from "../parts/StatusIcon.tsx";
import { flags } from "./flags.ts";
import type { WorkSearch } from "./search.ts";
import styles from "./Work.module.css";

const FilterMenu = lazily(() => import("./FilterMenu.tsx"), "FilterMenu");

/** The active filters of issues. */
export const Filters = ({
  input,
  projects,
  search,
}: {
  readonly search: WorkSearch;
  readonly projects: ReadonlyArray<string>;
  readonly input: RefObject<HTMLInputElement | null>;
}) => {
  const navigate = useNavigate();
  const assignee = useName(search.assignee ?? "");
  const [anchor, setAnchor] = useState<Element | null>(null);
  const set = (change: WorkSearch, replace = false) =>
    void navigate({ to: "/work", search: { ...search, ...change }, replace });

  return (
    <div className={styles["filters"]}>
      <FindField
        label="Find in issues"
        value={search.q}
        input={input}
        onFind={(q) => set({ q }, true)}
      />
      <Button
        variant="quiet"
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Icon name="filter" />
        Filter
      </Button>
      <Suspense fallback={<Opening />}>
        {anchor === null ? null : (
          <FilterMenu
            anchor={anchor}
            projects={projects}
            search={search}
            set={set}
            onClose={() => setAnchor(null)}
          />
        )}
      </Suspense>
      {search.project?.map((id) => (
        <FilterChip key={id} text={id} onClear={() => set({ project: undefined })} />
      ))}
      {search.status === undefined ? null : (
        <FilterChip text={statusName(search.status)} onClear={() => set({ status: undefined })} />
      )}
      {flags.map(({ field, text, value }) =>
        search[field] === value ? (
          <FilterChip key={text} text={text} onClear={() => set({ [field]: undefined })} />
        ) : null,
      )}
      {search.priority === undefined ? null : (
        <FilterChip text={search.priority} onClear={() => set({ priority: undefined })} />
      )}
      {search.label?.map((label) => (
        <FilterChip
          key={label}
          text={label}
          onClear={() => {
            const rest = search.label?.filter((other) => other !== label) ?? [];
            set({ label: rest.length === 0 ? undefined : rest });
          }}
        />
      ))}
      {search.assignee === undefined ? null : (
        <FilterChip
          text={assignee.isMe ? `Me (${assignee.name})` : assignee.name}
          onClear={() => set({ assignee: undefined })}
        />
      )}
    </div>
  );
};
