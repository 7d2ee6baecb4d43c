import { Link } from "@tanstack/react-router";
import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useAgentNames } from "../../data/agents.ts";
import type { AccessEntry } from "../../data/servers/access.ts";
import type { InstalledServer } from "../../data/servers/servers.ts";
import { tokensText } from "../../toolBrowser/entry.ts";
import { stateNames } from "../words.ts";
import type { AccessLine } from "./access.ts";
import { AccessCell } from "./AccessCell.tsx";
import styles from "./AccessMatrix.module.css";

const steps: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  j: [1, 0],
  k: [-1, 0],
  PageDown: [10, 0],
  PageUp: [-10, 0],
  Home: [0, -Infinity],
  End: [0, Infinity],
};

const clamp = (value: number, most: number) => Math.max(0, Math.min(most, value));

/** The head of a column. It names the state of a server that is not enabled. */
const ServerHead = ({ server: { id, name, status } }: { readonly server: InstalledServer }) => (
  <span
    role="columnheader"
    className={styles["server"]}
    data-status={status}
    title={status === "enabled" ? name : `${name}: ${stateNames[status]}`}
  >
    <Link to="/servers/$serverId" params={{ serverId: id }} tabIndex={-1}>
      {name}
    </Link>
    {status === "enabled" ? null : (
      <>
        {" "}
        <small>{stateNames[status]}</small>
      </>
    )}
  </span>
);

/** The grid of agents and servers. Tab reaches one cell; the arrow keys move between cells. */
export const AccessGrid = ({
  onOpen,
  onToggle,
  rows,
  servers,
}: {
  readonly servers: ReadonlyArray<InstalledServer>;
  readonly rows: ReadonlyArray<AccessLine>;
  readonly onOpen: (serverId: string, entry: AccessEntry, anchor: Element) => void;
  readonly onToggle: (serverId: string, entry: AccessEntry) => void;
}) => {
  const names = useAgentNames();
  const scroller = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState({ row: 0, column: 0, moved: false });
  const row = clamp(at.row, rows.length - 1);
  const column = clamp(at.column, servers.length - 1);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 44,
    overscan: 8,
    // Renders the focused cell even outside the view, so that it keeps the focus.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), row])].toSorted((a, b) => a - b),
  });

  useEffect(() => {
    if (!at.moved) return;
    virtualizer.scrollToIndex(row, { align: "auto" });
    const cell = scroller.current?.querySelector<HTMLElement>(`[data-cell="${row} ${column}"]`);
    cell?.focus({ preventScroll: true });
    cell?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [at, row, column, virtualizer]);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    setAt({
      row: clamp(row + step[0], rows.length - 1),
      column: clamp(column + step[1], servers.length - 1),
      moved: true,
    });
  };

  const columns = `var(--agents) repeat(${servers.length}, minmax(124px, 1fr))`;
  return (
    <div ref={scroller} className={styles["scroller"]}>
      <div
        role="grid"
        aria-label="Agent access to servers"
        aria-rowcount={rows.length + 1}
        aria-colcount={servers.length + 1}
        className={styles["grid"]}
        tabIndex={-1}
        onKeyDown={onKeyDown}
      >
        <div role="rowgroup" className={styles["top"]}>
          <div
            role="row"
            aria-rowindex={1}
            className={styles["row"]}
            style={{ gridTemplateColumns: columns }}
          >
            <span role="columnheader" className={styles["corner"]}>
              Agent
            </span>
            {servers.map((server) => (
              <ServerHead key={server.id} server={server} />
            ))}
          </div>
        </div>
        <div
          role="rowgroup"
          className={styles["rows"]}
          style={{ height: virtualizer.getTotalSize() }}
        >
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const line = rows[index];
            return line === undefined ? null : (
              <div
                key={line.agentId}
                role="row"
                aria-rowindex={index + 2}
                className={styles["row"]}
                style={{ gridTemplateColumns: columns, transform: `translateY(${start}px)` }}
              >
                <span role="rowheader" className={styles["agent"]} title={line.agentId}>
                  <span dir="auto">{names.get(line.agentId) ?? line.agentId}</span>
                  <small>{tokensText(line.tokens)}</small>
                </span>
                {line.entries.map((entry, place) => (
                  <AccessCell
                    key={servers[place]?.id}
                    id={`${index} ${place}`}
                    entry={entry}
                    server={servers[place]}
                    isCurrent={index === row && place === column}
                    onFocus={() => setAt({ row: index, column: place, moved: false })}
                    onOpen={onOpen}
                    onToggle={onToggle}
                  />
                ))}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
};
