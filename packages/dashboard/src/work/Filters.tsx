import { getRouteApi } from "@tanstack/react-router";
import { type RefObject, Suspense, useState } from "react";
import { useProjectNames } from "../data/issues/projects.ts";
import { useLabels } from "../data/live/names.ts";
import { Button } from "../parts/Button.tsx";
import { FilterChip } from "../parts/FilterChip.tsx";
import { FindField } from "../parts/FindField.tsx";
import { Icon } from "../parts/Icon.tsx";
import { lazily } from "../parts/lazily.ts";
import { Opening } from "../parts/Opening.tsx";
import { exactTime } from "../parts/RelativeTime.tsx";
import { Display } from "./Display.tsx";
import { flags, periods } from "./flags.ts";
import { times, type WorkSearch } from "./search.ts";
import { type Change, setValues, textOf, toggled, type Value, without } from "./values.ts";
import { ViewButton } from "./ViewButton.tsx";
import styles from "./Work.module.css";

const route = getRouteApi("/work");

const FilterMenu = lazily(() => import("./FilterMenu.tsx"), "FilterMenu");

const beginnings = {
  createdAfter: "Created after",
  updatedSince: "Changed since",
  updatedBefore: "Not changed since",
} as const;

const timeText = (field: keyof typeof beginnings, value: string): string =>
  periods.find((one) => one.field === field && one.value === value)?.text ??
  `${beginnings[field]} ${/^\d+[hd]$/.test(value) ? `${value} ago` : exactTime(value)}`;

/** The active filters of issues. */
export const Filters = ({
  input,
  search,
}: {
  readonly search: WorkSearch;
  readonly input: RefObject<HTMLInputElement | null>;
}) => {
  const navigate = route.useNavigate();
  const active = setValues(search);
  const projectName = useProjectNames();
  const people = useLabels(
    active.flatMap(({ field, value }) => (field === "assignee" ? [value] : [])),
  );
  const [isOpen, setOpen] = useState(false);
  // The rendered search may lack a change that was made just before this one.
  const set = (change: Change, replace = false) =>
    void navigate({
      search: (before: WorkSearch) => ({
        ...before,
        ...(typeof change === "function" ? change(before) : change),
      }),
      replace,
    });
  const nameOf = (value: Value) =>
    value.field === "assignee" ? (people.get(value.value) ?? value.value) : textOf(value);

  return (
    <div className={styles["filters"]}>
      <FindField
        label="Find in issues"
        value={search.q}
        input={input}
        onFind={(q) => set({ q }, true)}
      />
      <Button variant="quiet" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Icon name="filter" />
        Filter
      </Button>
      <Suspense fallback={<Opening />}>
        {isOpen ? <FilterMenu search={search} set={set} onClose={() => setOpen(false)} /> : null}
      </Suspense>
      {search.view === "list" ? <Display search={search} set={set} /> : null}
      <ViewButton search={search} />
      {search.project?.map((id) => (
        <FilterChip key={id} text={projectName(id)} onClear={() => set({ project: undefined })} />
      ))}
      {flags.map(({ field, text, value }) =>
        search[field] === value ? (
          <FilterChip key={text} text={text} onClear={() => set({ [field]: undefined })} />
        ) : null,
      )}
      {active.map((value) => (
        <FilterChip
          key={`${value.isExcluded} ${value.field} ${value.value}`}
          text={`${value.isExcluded ? "not " : ""}${nameOf(value)}`}
          onClear={() => set((before) => without(before, value))}
          onToggle={() => set((before) => toggled(before, value))}
        />
      ))}
      {times.map((field) => {
        const value = search[field];
        return value === undefined ? null : (
          <FilterChip
            key={field}
            text={timeText(field, value)}
            onClear={() => set({ [field]: undefined })}
          />
        );
      })}
    </div>
  );
};
