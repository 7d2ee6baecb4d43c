import type { Agent, AgentTool, BriefIssue, Run, ToolCall } from "@quartermaster/client";
import { queryOptions, useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { type Data, useData } from "./live/data.ts";
import { itemsOf, pagesOf } from "./live/query.ts";
import { useMay } from "./live/session.ts";

export type { Agent, AgentTool, Run, ToolCall } from "@quartermaster/client";

/** Heartbeats, renewals of leases and tool calls emit no event. A tab in the background reads nothing. */
const beat = 15_000;

const polled = { refetchInterval: beat, refetchOnMount: "always" } as const;

/** The first 500 agents. */
const allAgents = ({ api }: Data) =>
  queryOptions({
    queryKey: ["agents"],
    queryFn: async ({ signal }) => (await api.agents.list({ limit: 500 }, { signal }).page()).items,
  });

/** The first 500 agents. `watch` follows their heartbeats. */
export const useAgents = ({ watch = false }: { readonly watch?: boolean } = {}) =>
  useQuery({ ...allAgents(useData()), ...(watch ? polled : {}) });

/** The names of the agents that have one of their own, by id. */
export const useAgentNames = (): ReadonlyMap<string, string> => {
  const { data } = useAgents();
  return useMemo(() => new Map((data ?? []).map(({ id, name }) => [id, name])), [data]);
};

const oneAgent = ({ api }: Data, agentId: string) =>
  queryOptions({
    queryKey: ["agent work", "one", agentId],
    queryFn: ({ signal }) => api.agents.get({ agentId }, { signal }),
  });

export const useAgent = (agentId: string) => {
  const data = useData();
  return useQuery({
    ...oneAgent(data, agentId),
    ...polled,
    placeholderData: () =>
      data.queries.getQueryData(allAgents(data).queryKey)?.find(({ id }) => id === agentId),
  });
};

/** The current and next work of agents: the most urgent issues of all projects. */
export interface Work {
  /** Issues that a run holds, by the run's agent. */
  readonly running: ReadonlyMap<string, ReadonlyArray<BriefIssue>>;
  /** Open issues that are not paused, by their agent. */
  readonly queued: ReadonlyMap<string, number>;
  /** Whether there are more of them than were read. */
  readonly isMore: boolean;
}

export const useAgentWork = () => {
  const { api } = useData();
  return useQuery({
    queryKey: ["agent work"],
    queryFn: async ({ signal }): Promise<Work> => {
      const read = (filter: { readonly status: BriefIssue["status"]; readonly paused?: boolean }) =>
        api.issues
          .listAcross({ ...filter, view: "brief", sort: "priority", limit: 500 }, { signal })
          .page();
      const [running, ready] = await Promise.all([
        read({ status: "InProgress" }),
        read({ status: "Open", paused: false }),
      ]);
      const queued = new Map<string, number>();
      for (const { assignedAgentId: id } of ready.items) {
        if (id !== null) queued.set(id, (queued.get(id) ?? 0) + 1);
      }
      return {
        running: Map.groupBy(
          running.items.filter(({ liveRun }) => liveRun !== null),
          ({ liveRun }) => liveRun?.agentId ?? "",
        ),
        queued,
        isMore: ready.next !== null,
      };
    },
    ...polled,
  });
};

/** Issues that the agent has not started, most urgent first: at most 50. */
export const useQueue = (agentId: string) => {
  const { api } = useData();
  return useQuery({
    queryKey: ["agent work", "queue", agentId],
    queryFn: ({ signal }) =>
      api.issues
        .listAcross(
          {
            assigneeId: agentId,
            status: "Open,WaitingOnDependency",
            view: "brief",
            sort: "priority",
            limit: 50,
          },
          { signal },
        )
        .page(),
  });
};

/** Runs of the agent, newest first, 20 at a time. */
export const useAgentRuns = (agentId: string) => {
  const { api } = useData();
  return useInfiniteQuery({
    ...pagesOf<Run>(["agent work", "runs", agentId], (cursor, signal) =>
      api.agents.runs({ agentId, limit: 20, cursor }, { signal }).page(),
    ),
    ...polled,
    select: itemsOf,
  });
};

/** The newest 20 runs that ended. */
export const useEndedRuns = (agentId: string) => {
  const { api } = useData();
  return useQuery({
    queryKey: ["ended runs", agentId],
    queryFn: async ({ signal }) =>
      (await api.agents.runs({ agentId, status: "ended", limit: 20 }, { signal }).page()).items,
    refetchInterval: 4 * beat,
    refetchOnMount: "always",
  });
};

/** The runs that hold an issue now, of an agent that works. */
export const useLiveRuns = (agentId: string, isWorking: boolean) => {
  const { api } = useData();
  return useQuery({
    queryKey: ["agent work", "live", agentId],
    queryFn: async ({ signal }) =>
      (await api.agents.runs({ agentId, status: "active", limit: 20 }, { signal }).page()).items,
    enabled: isWorking,
  });
};

export const useAgentTools = (agentId: string) => {
  const { api } = useData();
  return useQuery({
    queryKey: ["agent tools", agentId],
    queryFn: ({ signal }) => api.tools.list({ agentId }, { signal }),
    enabled: useMay("Editor"),
  });
};

/**
 * The estimated tokens of each tool of these servers, by server and tool, for a user who may see
 * them.
 */
export const usePrices = (tools: ReadonlyArray<AgentTool> | undefined) => {
  const { api } = useData();
  const names = [...new Set(tools?.map(({ server }) => server))].toSorted();
  return useQuery({
    queryKey: ["tool prices", names],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, number>> => {
      const installed = await api.servers.list({}, { signal });
      const prices = await Promise.all(
        installed
          .filter(({ name }) => names.includes(name))
          .map(async ({ id, name }) =>
            (await api.servers.tools({ serverId: id }, { signal })).map(
              (tool) => [`${name} ${tool.name}`, tool.tokens] as const,
            ),
          ),
      );
      return new Map(
        prices.flat().flatMap(([name, tokens]) => (tokens === null ? [] : [[name, tokens]])),
      );
    },
    enabled: useMay("Admin") && names.length > 0,
  });
};

/** Tool calls of the agent, newest first, 20 at a time. */
export const useCalls = (agentId: string) => {
  const { api } = useData();
  return useInfiniteQuery({
    ...pagesOf<ToolCall>(["agent calls", agentId], (cursor, signal) =>
      api.tools.calls({ agentId, limit: 20, cursor }, { signal }).page(),
    ),
    ...polled,
    select: itemsOf,
    enabled: useMay("Admin"),
  });
};

const patch = (data: Data, agentId: string, change: Partial<Agent>) => {
  data.queries.setQueryData(
    oneAgent(data, agentId).queryKey,
    (agent) => agent && { ...agent, ...change },
  );
  data.queries.setQueryData(allAgents(data).queryKey, (agents) =>
    agents?.map((agent) => (agent.id === agentId ? { ...agent, ...change } : agent)),
  );
};

/** Pauses or resumes agents, shown immediately. */
export const useChangeAgent = () => {
  const data = useData();
  return useMutation({
    mutationFn: async ({
      agent: { id, paused: before },
      paused,
    }: {
      readonly agent: Agent;
      readonly paused: boolean;
    }) => {
      patch(data, id, { paused });
      try {
        patch(data, id, await data.api.agents.put({ agentId: id, paused }));
      } catch (error) {
        patch(data, id, { paused: before });
        throw error;
      }
    },
  });
};
