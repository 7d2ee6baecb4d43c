import { getRouteApi } from "@tanstack/react-router";
import { Suspense, useCallback, useMemo, useRef, useState } from "react";
import { useMay } from "../../data/live/session.ts";
import { type AccessEntry, useAccessOf, useToggleAccess } from "../../data/servers/access.ts";
import { useServers } from "../../data/servers/servers.ts";
import { useCommands } from "../../parts/commands.ts";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { FindField } from "../../parts/FindField.tsx";
import { lazily } from "../../parts/lazily.ts";
import { Opening } from "../../parts/Opening.tsx";
import { ScreenHead } from "../../parts/ScreenHead.tsx";
import { ScreenState } from "../../parts/ScreenState.tsx";
import { toServers } from "../path.tsx";
import { matrixOf } from "./access.ts";
import { AccessGrid } from "./AccessGrid.tsx";

const AccessForm = lazily(() => import("./AccessForm.tsx"), "AccessForm");
const route = getRouteApi("/servers/access");
const none: ReadonlyArray<never> = [];

/** The access of every agent to every server. */
export const AccessMatrix = () => {
  const { q = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const servers = useServers();
  const all = useAccessOf(servers.data ?? none);
  const mayChange = useMay("Admin");
  const { mutate: toggle } = useToggleAccess();
  const [open, setOpen] = useState<{
    readonly serverId: string;
    readonly entry: AccessEntry;
    readonly anchor: Element;
  } | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const matrix = useMemo(() => matrixOf(all, q), [all, q]);
  const errors = [servers.error, ...all.map(({ error }) => error)].filter((one) => one !== null);
  const isPending = servers.isPending || (all.length > 0 && all.every(({ data }) => !data));
  const hasAgents = all.some(({ data }) => (data?.length ?? 0) > 0);
  const openServer = all.find(({ server }) => server.id === open?.serverId);

  const onToggle = useCallback(
    (serverId: string, { agentId, granted }: AccessEntry) => {
      if (mayChange) toggle({ serverId, agentId, granted: !granted });
    },
    [toggle, mayChange],
  );
  const onOpen = useCallback(
    (serverId: string, entry: AccessEntry, anchor: Element) => setOpen({ serverId, entry, anchor }),
    [],
  );
  useCommands([
    {
      id: "find",
      title: "Find an agent",
      section: "Access",
      icon: "search",
      keys: "/",
      run: () => input.current?.focus(),
    },
  ]);

  return (
    <>
      <ScreenHead
        title="Access"
        path={toServers}
        actions={
          <FindField
            label="Find an agent"
            placeholder="Find an agent"
            value={q}
            input={input}
            onFind={(text) => void navigate({ search: { q: text }, replace: true })}
          />
        }
      />
      <ScreenState error={errors[0] ?? null} isPending={isPending && errors.length === 0} />
      {isPending ? null : all.length === 0 ? (
        <EmptyState
          icon="server"
          title="No servers yet"
          text="Install an MCP server, then grant agents access here."
          command="quartermaster server install github"
        />
      ) : !hasAgents ? (
        <EmptyState
          icon="agents"
          title="No agents yet"
          text="An agent appears here after its first heartbeat, or when you grant it a server."
          command={`quartermaster server grant ${all[0]?.server.name ?? "github"} atlas`}
        />
      ) : matrix.length === 0 ? (
        <EmptyState icon="agents" title="No agent matches" text="No agent id contains this text." />
      ) : (
        <AccessGrid
          servers={all.map(({ server }) => server)}
          rows={matrix}
          onOpen={onOpen}
          onToggle={onToggle}
        />
      )}
      <Suspense fallback={<Opening />}>
        {open === null || openServer === undefined ? null : (
          <AccessForm
            anchor={open.anchor}
            entry={open.entry}
            serverId={openServer.server.id}
            serverName={openServer.server.name}
            onClose={() => setOpen(null)}
          />
        )}
      </Suspense>
    </>
  );
};
