import { type ReactNode, useCallback, useMemo, useRef, useState } from "react";
import { Button } from "../parts/Button.tsx";
import { useCommands } from "../parts/commands.ts";
import { itemInFocus, useSteps } from "../parts/steps.ts";
import { AcceptTools } from "./AcceptTools.tsx";
import { type Decide, isAcceptable, matches, type ToolEntry, type ToolFilter } from "./entry.ts";
import { ToolDetail } from "./ToolDetail.tsx";
import { ToolFilters } from "./ToolFilters.tsx";
import { ToolList } from "./ToolList.tsx";
import { ToolRow } from "./ToolRow.tsx";
import styles from "./ToolBrowser.module.css";

export interface ToolBrowserProps {
  /** Null until the tools are loaded. */
  readonly entries: ReadonlyArray<ToolEntry> | null;
  readonly errors: ReadonlyArray<Error>;
  readonly filter: ToolFilter;
  readonly onFilter: (change: ToolFilter) => void;
  /** The id of the open entry. */
  readonly open: string | undefined;
  readonly onOpen: (id: string | undefined) => void;
  readonly decide: Decide;
  /** Names of servers to filter by. Default: no server filter, for a list of one server. */
  readonly servers?: ReadonlyArray<string>;
  /** The content if there are no tools at all. */
  readonly empty: ReactNode;
  /** The title of the screen. Default: no header, for a list inside a screen. */
  readonly title?: string;
}

const rows = "[data-tool]";

const rowOf = (id: string | undefined) =>
  id === undefined ? null : document.querySelector<HTMLElement>(`[data-tool="${CSS.escape(id)}"]`);

const isNarrow = () => matchMedia("(max-width: 900px)").matches;

/** The order of the list: tools that need a decision first, changed ones before new ones. */
const ranks: Readonly<Partial<Record<ToolEntry["state"], number>>> = {
  changed: 0,
  new: 1,
  gone: 2,
};
const lastRank = 3;

/**
 * The entries by rank. An entry keeps the rank of its first undecided state, so that a decision does not
 * move rows under the pointer.
 */
const useOrdered = (entries: ReadonlyArray<ToolEntry> | null) => {
  const [seen, setSeen] = useState<ReadonlyMap<string, number>>(new Map());
  const urgent = (entries ?? []).filter(
    ({ id, state }) => ranks[state] !== undefined && !seen.has(id),
  );
  if (urgent.length > 0) {
    setSeen(new Map([...seen, ...urgent.map(({ id, state }) => [id, ranks[state] ?? 0] as const)]));
  }
  return useMemo(() => {
    const rankOf = ({ id }: ToolEntry) => seen.get(id) ?? lastRank;
    return (entries ?? []).toSorted((a, b) => rankOf(a) - rankOf(b));
  }, [entries, seen]);
};

/** A list of tools with state and price. The open tool appears beside it, for review. */
export const ToolBrowser = ({
  decide,
  empty,
  entries,
  errors,
  filter,
  onFilter,
  onOpen,
  open,
  servers,
  title,
}: ToolBrowserProps) => {
  const input = useRef<HTMLInputElement>(null);
  const [accepting, setAccepting] = useState<ReadonlyArray<ToolEntry> | null>(null);
  const ordered = useOrdered(entries);
  const found = useMemo(
    () => ordered.filter(matches({ q: filter.q, server: filter.server })),
    [ordered, filter.q, filter.server],
  );
  const shown = useMemo(
    () => found.filter(({ state }) => filter.state === undefined || state === filter.state),
    [found, filter.state],
  );
  const acceptable = shown.filter(isAcceptable);
  const opened = entries?.find(({ id }) => id === open);
  const showsServer = servers !== undefined;

  const row = useCallback(
    (entry: ToolEntry) => (
      <ToolRow
        entry={entry}
        isOpen={entry.id === open}
        showsServer={showsServer}
        onOpen={({ id }) => onOpen(id)}
      />
    ),
    [open, onOpen, showsServer],
  );
  const close = () => {
    onOpen(undefined);
    rowOf(open)?.focus();
  };
  useSteps(rows, "tool", {
    current: () => itemInFocus(rows) ?? rowOf(open),
    onStep: (item) => {
      if (open !== undefined && !isNarrow()) onOpen(item.dataset["tool"]);
    },
  });

  const section = "Tools";
  useCommands([
    {
      id: "find",
      title: "Find in tools",
      section,
      icon: "search",
      keys: "/",
      run: () => input.current?.focus(),
    },
    ...(acceptable.length > 0
      ? [
          {
            id: "accept all",
            title: "Review and accept the changes that are shown",
            section,
            icon: "check" as const,
            keys: "shift+a",
            run: () => setAccepting(acceptable),
          },
        ]
      : []),
  ]);

  return (
    <div className={styles["browser"]}>
      <div className={styles["main"]}>
        <ToolFilters
          title={title}
          filter={filter}
          found={found}
          input={input}
          onFilter={onFilter}
          servers={servers ?? []}
          action={
            acceptable.length === 0 ? null : (
              <Button onClick={() => setAccepting(acceptable)}>
                Review {acceptable.length} {acceptable.length === 1 ? "change" : "changes"}
              </Button>
            )
          }
        />
        <ToolList
          entries={entries}
          shown={shown}
          errors={errors}
          empty={empty}
          row={row}
          onClear={() => onFilter({ q: undefined, state: undefined, server: undefined })}
        />
      </div>
      {opened === undefined ? null : (
        <ToolDetail
          key={opened.id}
          entry={opened}
          decide={decide}
          onClose={close}
          takesFocus={isNarrow()}
        />
      )}
      {accepting === null ? null : (
        <AcceptTools entries={accepting} decide={decide} onClose={() => setAccepting(null)} />
      )}
    </div>
  );
};
