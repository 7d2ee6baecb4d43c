import type { InstalledServer, ServerTool } from "@quartermaster/client";
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { type Data, useData } from "../live/data.ts";
import { showsFailure } from "../live/query.ts";
import { useEachServer } from "./eachServer.ts";

export type { ServerTool } from "@quartermaster/client";

/** An Admin's decision about tools of a server. `accept` contains the digests that the Admin reviewed. */
export type ToolDecision = { readonly serverId: string } & (
  | {
      readonly action: "accept";
      readonly tools: ReadonlyArray<{ readonly name: string; readonly digest: string }>;
      /** The digest of the server's instructions, to accept them also. */
      readonly instructions?: string | undefined;
    }
  | { readonly action: "block" | "unblock"; readonly names: ReadonlyArray<string> }
);

const toolsOf = ({ api }: Data, serverId: string) =>
  queryOptions({
    queryKey: ["tools", serverId],
    queryFn: ({ signal }) => api.servers.tools({ serverId }, { signal }),
  });

export const useServerTools = (serverId: string) => useQuery(toolsOf(useData(), serverId));

/** The tools of each server, in the order of `servers`. */
export const useToolsOf = (servers: ReadonlyArray<InstalledServer>) =>
  useEachServer(servers, toolsOf);

/**
 * The expected list after a decision. An unblocked tool keeps its state until the server responds with the
 * new one.
 */
const expected = (decision: ToolDecision, tools: ReadonlyArray<ServerTool>) =>
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

const send = ({ api }: Data, decision: ToolDecision) => {
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

/**
 * Accepts, blocks or unblocks tools. The page shows it before the server responds, and refetches if the
 * server refuses.
 */
export const useDecideTools = () => {
  const data = useData();
  const { queries } = data;
  return useMutation({
    meta: showsFailure,
    mutationFn: async (decision: ToolDecision) => {
      const { queryKey } = toolsOf(data, decision.serverId);
      await queries.cancelQueries({ queryKey });
      queries.setQueryData(queryKey, (tools) => tools && expected(decision, tools));
      try {
        queries.setQueryData(queryKey, await send(data, decision));
      } catch (error) {
        await queries.invalidateQueries({ queryKey });
        throw error;
      } finally {
        void queries.invalidateQueries({ queryKey: ["servers"] });
      }
    },
  });
};

/** Starts the server once and lists its tools. Rejects with the reason if the server fails to start. */
export const useVerify = () => {
  const data = useData();
  return useMutation({
    meta: showsFailure,
    mutationFn: async (serverId: string) => {
      const { details, status } = await data.api.servers.verify({ serverId });
      await data.queries.invalidateQueries({ queryKey: toolsOf(data, serverId).queryKey });
      if (status === "error") throw new Error(details);
    },
  });
};
