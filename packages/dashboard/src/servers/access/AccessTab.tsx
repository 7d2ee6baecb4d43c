import { Link } from "@tanstack/react-router";
import { Suspense, useCallback, useMemo, useRef, useState } from "react";
import { useAgentNames } from "../../data/agents.ts";
import { useMay } from "../../data/live/session.ts";
import { type AccessEntry, useAccess, useToggleAccess } from "../../data/servers/access.ts";
import type { InstalledServer } from "../../data/servers/servers.ts";
import { Button } from "../../parts/Button.tsx";
import { useCommands } from "../../parts/commands.ts";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { lazily } from "../../parts/lazily.ts";
import { Opening } from "../../parts/Opening.tsx";
import { ScreenList } from "../../parts/ScreenList.tsx";
import { useSteps } from "../../parts/steps.ts";
import { AccessRow } from "./AccessRow.tsx";
import { GrantAll } from "./GrantAll.tsx";
import { GrantForm } from "./GrantForm.tsx";
import styles from "./AccessTab.module.css";

const AccessForm = lazily(() => import("./AccessForm.tsx"), "AccessForm");

const keyOf = ({ agentId }: AccessEntry) => agentId;

/**
 * The agents, with granted ones first. The order is fixed while the tab is open, so that rows do not move
 * under the pointer.
 */
const useOrdered = (entries: ReadonlyArray<AccessEntry> | undefined) => {
  const [first, setFirst] = useState<ReadonlySet<string> | null>(null);
  if (first === null && entries !== undefined) {
    setFirst(new Set(entries.flatMap(({ agentId, granted }) => (granted ? [agentId] : []))));
  }
  return useMemo(
    () =>
      (entries ?? []).toSorted(
        (a, b) => Number(first?.has(b.agentId) ?? false) - Number(first?.has(a.agentId) ?? false),
      ),
    [entries, first],
  );
};

/** The access of every agent to a server. */
export const AccessTab = ({ server }: { readonly server: InstalledServer }) => {
  const { data, error, isPending } = useAccess(server.id);
  const { mutate: toggle } = useToggleAccess();
  const names = useAgentNames();
  const [isGrantingAll, setGrantingAll] = useState(false);
  const isReadable = !useMay("Admin");
  // The entry as it was when the form opened: a response without the agent does not close the form.
  const [open, setOpen] = useState<{
    readonly entry: AccessEntry;
    readonly anchor: Element;
  } | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const entries = useOrdered(data);
  const granted = entries.filter((entry) => entry.granted).length;

  const onToggle = useCallback(
    (entry: AccessEntry) =>
      toggle({ serverId: server.id, agentId: entry.agentId, granted: !entry.granted }),
    [toggle, server.id],
  );
  const onOpen = useCallback(
    (entry: AccessEntry, anchor: Element) => setOpen({ entry, anchor }),
    [],
  );
  const row = useCallback(
    (entry: AccessEntry) => (
      <AccessRow
        entry={entry}
        name={names.get(entry.agentId)}
        isReadable={isReadable}
        onOpen={onOpen}
        onToggle={onToggle}
      />
    ),
    [names, isReadable, onOpen, onToggle],
  );
  useSteps("[data-access]", "agent");
  const section = "Access";
  useCommands([
    {
      id: "toggle",
      title: "Grant or revoke",
      section,
      keys: "t",
      hidden: true,
      run: () => {
        const id = (document.activeElement as HTMLElement | null)?.dataset["access"];
        const entry = entries.find(({ agentId }) => agentId === id);
        if (entry !== undefined) onToggle(entry);
      },
    },
    {
      id: "grant",
      title: "Grant the server to an agent",
      section,
      icon: "plus",
      keys: "n",
      run: () => input.current?.focus(),
    },
  ]);

  return (
    <div className={styles["tab"]}>
      <div className={styles["bar"]}>
        <GrantForm entries={entries} input={input} isReadable={isReadable} serverId={server.id} />
        {isReadable || granted === entries.length ? null : (
          <Button variant="quiet" onClick={() => setGrantingAll(true)}>
            Grant to all agents
          </Button>
        )}
        <span className={styles["count"]}>
          {data === undefined ? "" : `${granted} of ${entries.length} agents`}
        </span>
        <Link to="/servers/access" className={styles["link"] ?? ""}>
          All servers
        </Link>
      </div>
      <ScreenList
        label="Agents"
        items={entries}
        keyOf={keyOf}
        height={44}
        row={row}
        isPending={isPending}
        error={error}
        empty={
          <EmptyState
            icon="agents"
            title="No agents yet"
            text="An agent appears here after its first heartbeat, or when you grant it a server."
            command={`quartermaster server grant ${server.name} atlas`}
          />
        }
      />
      {isGrantingAll ? (
        <GrantAll
          server={server}
          agentIds={entries.flatMap(({ agentId, granted: has }) => (has ? [] : [agentId]))}
          onClose={() => setGrantingAll(false)}
        />
      ) : null}
      <Suspense fallback={<Opening />}>
        {open === null ? null : (
          <AccessForm
            anchor={open.anchor}
            entry={open.entry}
            serverId={server.id}
            serverName={server.name}
            onClose={() => setOpen(null)}
          />
        )}
      </Suspense>
    </div>
  );
};
