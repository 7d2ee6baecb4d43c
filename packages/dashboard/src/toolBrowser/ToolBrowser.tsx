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
  /** Null while nothing is read. */
  readonly entries: ReadonlyArray<ToolEntry> | null;
  readonly errors: ReadonlyArray<Error>;
  readonly filter: ToolFilter;
  readonly onFilter: (change: ToolFilter) => void;
  /** The id of the entry that is open. */
  readonly open: string | undefined;
  readonly onOpen: (id: string | undefined) => void;
  readonly decide: Decide;
  /** Names of servers to filter by. Default: the list is of one server. */
  readonly servers?: ReadonlyArray<string>;
  /** The screen without any tools. */
  readonly empty: ReactNode;
  /** The title of the screen. Default: the list is a part of one. */
  readonly title?: string;
}

const rows = "[data-tool]";

const rowOf = (id: string | undefined) =>
  id === undefined ? null : document.querySelector<HTMLElement>(`[data-tool="${CSS.escape(id)}"]`);

const isNarrow = () => matchMedia("(max-width: 900px)").matches;

/** Tools that wait for a decision come first, changed tools before new ones. */
const ranks: Readonly<Partial<Record<ToolEntry["state"], number>>> = {
  changed: 0,
  new: 1,
  gone: 2,
};
const lastRank = 3;

/** The entries in the order of the first time that each was seen: a decision moves nothing under the pointer. */
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

/** Tools with their state and price; one of them beside the list, to be read and decided. */
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
