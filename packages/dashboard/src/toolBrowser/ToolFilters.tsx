import type { ReactNode, RefObject } from "react";
import { Button } from "../parts/Button.tsx";
import { Chooser } from "../parts/Chooser.tsx";
import { FindField } from "../parts/FindField.tsx";
import { ScreenHead } from "../parts/ScreenHead.tsx";
import type { ToolEntry, ToolFilter } from "./entry.ts";
import { toolStates } from "./states.ts";
import { stateName } from "./ToolStateBadge.tsx";
import styles from "./ToolBrowser.module.css";

/** The filters of the tool list. `found` are the tools that match apart from their state. */
export const ToolFilters = ({
  action,
  filter,
  found,
  input,
  onFilter,
  servers,
  title,
}: {
  readonly filter: ToolFilter;
  readonly found: ReadonlyArray<ToolEntry>;
  readonly onFilter: (change: ToolFilter) => void;
  readonly servers: ReadonlyArray<string>;
  readonly input: RefObject<HTMLInputElement | null>;
  readonly title: string | undefined;
  readonly action: ReactNode;
}) => {
  const counts = Map.groupBy(found, ({ state }) => state);
  const states = toolStates.filter((state) => counts.has(state) || state === filter.state);

  const fields = (
    <>
      <FindField
        label="Find in tools"
        value={filter.q}
        input={input}
        onFind={(q) => onFilter({ q })}
      />
      {servers.length < 2 && filter.server === undefined ? null : (
        <Chooser
          label="Server"
          all="All servers"
          icon="server"
          choices={servers}
          value={filter.server}
          onSelect={(server) => onFilter({ server })}
        />
      )}
    </>
  );
  return (
    <>
      {title === undefined ? (
        <div className={styles["bar"]}>
          {fields}
          <span className={styles["space"]} />
          {action}
        </div>
      ) : (
        <ScreenHead title={title} isBare actions={action}>
          {fields}
        </ScreenHead>
      )}
      <div className={styles["states"]} role="group" aria-label="State">
        <Button
          small
          variant="quiet"
          aria-pressed={filter.state === undefined}
          onClick={() => onFilter({ state: undefined })}
        >
          All <span className={styles["count"]}>{found.length}</span>
        </Button>
        {states.map((state) => (
          <Button
            key={state}
            small
            variant="quiet"
            aria-pressed={filter.state === state}
            onClick={() => onFilter({ state: filter.state === state ? undefined : state })}
          >
            {stateName(state)}{" "}
            <span className={styles["count"]}>{counts.get(state)?.length ?? 0}</span>
          </Button>
        ))}
      </div>
    </>
  );
};
