import { useNavigate } from "@tanstack/react-router";
import { type RefObject, Suspense, useEffect, useState } from "react";
import { Button } from "../parts/Button.tsx";
import { FilterChip } from "../parts/FilterChip.tsx";
import { Icon } from "../parts/Icon.tsx";
import { lazily } from "../parts/lazily.ts";
import { statusName } from "../parts/StatusIcon.tsx";
import { flags } from "./flags.ts";
import type { WorkSearch } from "./search.ts";
import styles from "./Work.module.css";

const FilterMenu = lazily(() => import("./FilterMenu.tsx"), "FilterMenu");

/** What the issues are filtered by. */
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
  const [anchor, setAnchor] = useState<Element | null>(null);
  const [text, setText] = useState(search.q ?? "");
  const set = (change: WorkSearch, replace = false) =>
    void navigate({ to: "/work", search: { ...search, ...change }, replace });

  useEffect(() => setText(search.q ?? ""), [search.q]);
  useEffect(() => {
    const q = text.trim() === "" ? undefined : text.trim();
    if (q === search.q) return undefined;
    const timer = setTimeout(() => set({ q }, true), 200);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- only typing starts a search
  }, [text]);

  return (
    <div className={styles["filters"]}>
      <label className={styles["find"]}>
        <Icon name="search" size={14} />
        <input
          ref={input}
          type="search"
          aria-label="Find in issues"
          placeholder="Find"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <Button
        variant="quiet"
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Icon name="filter" />
        Filter
      </Button>
      <Suspense>
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
        <FilterChip text={search.assignee} onClear={() => set({ assignee: undefined })} />
      )}
    </div>
  );
};
