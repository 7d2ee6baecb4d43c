import { getRouteApi } from "@tanstack/react-router";
import { useRef } from "react";
import { useProjectNames } from "../data/issues/projects.ts";
import { type Run, useRuns } from "../data/runs.ts";
import { useScope } from "../data/scope.ts";
import { Chooser } from "../parts/Chooser.tsx";
import { useCommands } from "../parts/commands.ts";
import { EmptyState } from "../parts/EmptyState.tsx";
import { FilterChip } from "../parts/FilterChip.tsx";
import { exactTime } from "../parts/RelativeTime.tsx";
import { ScreenHead } from "../parts/ScreenHead.tsx";
import { ScreenList } from "../parts/ScreenList.tsx";
import { useSteps } from "../parts/steps.ts";
import { RunRow } from "./RunRow.tsx";
import { type RunsSearch, runStateNames, runStates } from "./search.ts";
import styles from "./Runs.module.css";

const route = getRouteApi("/runs");
const keyOf = ({ id }: Run) => id;
const row = (run: Run) => <RunRow run={run} />;

/** The active filters in words, except the state. */
const chipsOf = (
  { agent, ended, from, project }: RunsSearch,
  projectName: (id: string) => string,
) =>
  [
    { name: "agent", text: agent },
    { name: "project", text: project === undefined ? undefined : projectName(project) },
    { name: "from", text: from === undefined ? undefined : `Started since ${exactTime(from)}` },
    { name: "ended", text: ended === undefined ? undefined : `Ended since ${exactTime(ended)}` },
  ] as const;

/** The runs, newest first, with filters by state, agent, project and time. */
export const Runs = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const scope = useScope();
  const projectName = useProjectNames();
  const chooser = useRef<HTMLButtonElement>(null);
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage, isPending } = useRuns({
    ...search,
    project: search.project ?? scope ?? undefined,
  });
  useSteps("[data-item]", "run");
  useCommands([
    {
      id: "state",
      title: "Filter by state",
      section: "Runs",
      icon: "filter",
      keys: "f",
      run: () => chooser.current?.click(),
    },
  ]);
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  return (
    <>
      <ScreenHead title="Runs">
        <Chooser
          button={chooser}
          label="State"
          all="Every state"
          choices={runStateNames.map((name) => runStates[name])}
          value={search.state === undefined ? undefined : runStates[search.state]}
          onSelect={(chosen) =>
            void navigate({
              search: (before) => ({
                ...before,
                state: runStateNames.find((name) => runStates[name] === chosen),
              }),
            })
          }
        />
        {chipsOf(search, projectName).map(({ name, text }) =>
          text === undefined ? null : (
            <FilterChip
              key={name}
              text={text}
              onClear={() =>
                void navigate({ search: (before) => ({ ...before, [name]: undefined }) })
              }
            />
          ),
        )}
      </ScreenHead>
      <ScreenList
        className={styles["list"]}
        label="Runs"
        heads={["State", "Issue", "Note", "Agent", "Duration", "Started"]}
        items={data ?? []}
        keyOf={keyOf}
        height={44}
        onEnd={hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined}
        row={row}
        isPending={isPending}
        error={error}
        empty={
          isFiltered ? (
            <EmptyState
              icon="play"
              title="No runs match"
              text="Remove a filter to see other runs."
            />
          ) : (
            <EmptyState
              icon="play"
              title="No runs yet"
              text="A run is one agent's work on one issue: its log, its tool calls and its outcome. The runner turns any program into an agent."
              command="quartermaster work --agent atlas -- claude -p {prompt}"
            />
          )
        }
      />
    </>
  );
};
