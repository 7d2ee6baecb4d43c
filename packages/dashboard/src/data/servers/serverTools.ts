import type { Event, InstalledServer, ServerTool } from "@quartermaster/client";
import { useMutation, useQueries, useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { api } from "../live/client.ts";
import { onEvents } from "../live/live.ts";
import { queryClient, showsFailure, throttled } from "../live/query.ts";

export type { ServerTool } from "@quartermaster/client";

/** The tools of a server, or null while they are not read. */
export interface ToolsOfServer {
  readonly server: InstalledServer;
  readonly tools: ReadonlyArray<ServerTool> | null;
  readonly error: Error | null;
}

/** What an Admin decides about tools of a server. `accept` names what was shown. */
export type ToolDecision = { readonly serverId: string } & (
  | {
      readonly action: "accept";
      readonly tools: ReadonlyArray<{ readonly name: string; readonly digest: string }>;
      /** The digest of the server's instructions, to accept them as well. */
      readonly instructions?: string | undefined;
    }
  | { readonly action: "block" | "unblock"; readonly names: ReadonlyArray<string> }
);

const keyOf = (serverId: string) => ["tools", serverId];

const optionsOf = (serverId: string) => ({
  queryKey: keyOf(serverId),
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    api.servers.tools({ serverId }, { signal }),
});

/** The tools of a server. */
export const useServerTools = (serverId: string) => useQuery(optionsOf(serverId));

/** The tools of each of these servers, in their order. */
export const useToolsOf = (servers: ReadonlyArray<InstalledServer>): ReadonlyArray<ToolsOfServer> =>
  useQueries({
    queries: servers.map(({ id }) => optionsOf(id)),
    combine: useCallback(
      (
        results: ReadonlyArray<{
          readonly data?: ReadonlyArray<ServerTool> | undefined;
          readonly error: Error | null;
        }>,
      ) =>
        servers.map((server, index) => ({
          server,
          tools: results[index]?.data ?? null,
          error: results[index]?.error ?? null,
        })),
      [servers],
    ),
  });

const patch = (
  serverId: string,
  change: (tools: ReadonlyArray<ServerTool>) => ReadonlyArray<ServerTool>,
) =>
  queryClient.setQueryData<ReadonlyArray<ServerTool>>(
    keyOf(serverId),
    (tools) => tools && change(tools),
  );

/** What the list looks like once the server agreed. The state of an unblocked tool is only known to the server. */
const expected = (decision: ToolDecision) => (tools: ReadonlyArray<ServerTool>) =>
  tools.flatMap((tool): ReadonlyArray<ServerTool> => {
    if (decision.action === "accept") {
      const isNamed = decision.tools.some(
        ({ digest, name }) => name === tool.name && digest === tool.digest,
      );
      if (!isNamed || tool.state === "blocked" || tool.state === "invalid") return [tool];
      return tool.state === "gone" ? [] : [{ ...tool, state: "accepted", accepted: tool.current }];
    }
    const isBlocked = decision.action === "block" && decision.names.includes(tool.name);
    return [isBlocked ? { ...tool, state: "blocked" } : tool];
  });

const send = (decision: ToolDecision) => {
  const { serverId } = decision;
  switch (decision.action) {
    case "accept":
      return api.servers.acceptTools({
        serverId,
        tools: decision.tools,
        ...(decision.instructions === undefined ? {} : { instructions: decision.instructions }),
      });
    case "block":
      return api.servers.blockTools({ serverId, names: decision.names });
    case "unblock":
      return api.servers.unblockTools({ serverId, names: decision.names });
  }
};

/** Accepts, blocks or unblocks tools: shown immediately, and read again if the server refuses. */
export const useDecideTools = () =>
  useMutation({
    meta: showsFailure,
    mutationFn: async (decision: ToolDecision) => {
      const queryKey = keyOf(decision.serverId);
      await queryClient.cancelQueries({ queryKey });
      patch(decision.serverId, expected(decision));
      try {
        queryClient.setQueryData(queryKey, await send(decision));
      } catch (error) {
        await queryClient.invalidateQueries({ queryKey });
        throw error;
      } finally {
        void queryClient.invalidateQueries({ queryKey: ["servers"] });
      }
    },
  });

/** Starts the server once and lists its tools. Rejects with what it fails of. */
export const useVerify = () =>
  useMutation({
    meta: showsFailure,
    mutationFn: async (serverId: string) => {
      const { details, status } = await api.servers.verify({ serverId });
      await queryClient.invalidateQueries({ queryKey: keyOf(serverId) });
      if (status === "error") throw new Error(details);
    },
  });

const kinds = /^mcp\.(toolsChanged|verified|updated|enabled|recovered|uninstalled)$/;
const stale = new Set<string>();

const refresh = throttled(async () => {
  const ids = [...stale];
  stale.clear();
  await Promise.all(ids.map((id) => queryClient.invalidateQueries({ queryKey: keyOf(id) })));
}, 500);

onEvents((events: ReadonlyArray<Event>) => {
  for (const { kind, subjectId } of events) if (kinds.test(kind)) stale.add(subjectId);
  if (stale.size > 0) refresh();
});
