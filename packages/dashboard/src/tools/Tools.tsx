import { getRouteApi } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { useServers } from "../data/servers/servers.ts";
import { useDecideTools, useToolsOf } from "../data/servers/serverTools.ts";
import { EmptyState } from "../parts/EmptyState.tsx";
import { entriesOf } from "../toolBrowser/entry.ts";
import { ToolBrowser } from "../toolBrowser/ToolBrowser.tsx";
import type { ToolsSearch } from "./search.ts";

const route = getRouteApi("/tools");
const none: ReadonlyArray<never> = [];

/** The tools of all installed servers. The URL stores the filters and the open tool. */
export const Tools = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { mutateAsync: decide } = useDecideTools();
  const servers = useServers();
  const all = useToolsOf(servers.data ?? none);
  const entries = useMemo(
    () =>
      servers.data === undefined || (all.length > 0 && all.every(({ data }) => data === null))
        ? null
        : all.flatMap(({ data, server }) => entriesOf(server, data ?? [])),
    [all, servers.data],
  );
  const errors = [
    ...new Map(
      [servers.error, ...all.map(({ error }) => error)].flatMap((error) =>
        error === null ? [] : [[error.message, error] as const],
      ),
    ).values(),
  ];
  const set = useCallback(
    (change: ToolsSearch) =>
      void navigate({ search: (before: ToolsSearch) => ({ ...before, ...change }), replace: true }),
    [navigate],
  );
  const onOpen = useCallback((tool: string | undefined) => set({ tool }), [set]);

  return (
    <ToolBrowser
      title="Tools"
      entries={entries}
      errors={errors}
      filter={search}
      onFilter={set}
      open={search.tool}
      onOpen={onOpen}
      decide={decide}
      servers={all.map(({ server }) => server.name)}
      empty={
        <EmptyState
          icon="tool"
          title="No tools yet"
          text="Agents get tools from MCP servers. Install and verify a server to see its tools here."
          command="quartermaster server install filesystem"
        />
      }
    />
  );
};
