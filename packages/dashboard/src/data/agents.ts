import type { Agent, AgentTool, BriefIssue, Run, ToolCall } from "@quartermaster/client";
import { queryOptions, useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { type Data, useData } from "./live/data.ts";
import { itemsOf, pagesOf } from "./live/query.ts";
import { useMay } from "./live/session.ts";

export type { Agent, AgentTool, Run, ToolCall } from "@quartermaster/client";

/**
 * The polling interval in milliseconds. Heartbeats, lease renewals and tool calls emit no event. Background
 * tabs do not poll.
 */
const beat = 15_000;

const polled = { refetchInterval: beat, refetchOnMount: "always" } as const;

/** The first 500 agents. */
const allAgents = ({ api }: Data) =>
  queryOptions({
    queryKey: ["agents"],
    queryFn: async ({ signal }) => (await api.agents.list({ limit: 500 }, { signal }).page()).items,
  });

/** The first 500 agents. `watch` polls for heartbeats, which emit no event. */
export const useAgents = ({
  enabled = true,
  watch = false,
}: { readonly enabled?: boolean; readonly watch?: boolean } = {}) =>
  useQuery({ ...allAgents(useData()), ...(watch ? polled : {}), enabled });

/** The names of agents by id, without names that equal the id. */
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

/** The current and queued work of agents, read from the most urgent issues of all projects. */
export interface Work {
  /** The issues held by a run, by the run's agent. */
  readonly running: ReadonlyMap<string, ReadonlyArray<BriefIssue>>;
  /** The issues in progress that no run holds, by the agent that they are assigned to. */
  readonly left: ReadonlyMap<string, ReadonlyArray<BriefIssue>>;
  /** The number of open, unpaused issues by agent. */
  readonly queued: ReadonlyMap<string, number>;
  /** Whether there are more issues than the query reads. */
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
        left: Map.groupBy(
          running.items.filter(({ liveRun, paused }) => liveRun === null && !paused),
          ({ assignedAgentId }) => assignedAgentId ?? "",
        ),
        queued,
        isMore: ready.next !== null,
      };
    },
    ...polled,
  });
};

/** The issues that the agent has not started, most urgent first, at most 50. */
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

/** The runs of the agent, newest first, 20 per page. */
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

/** The 20 newest finished runs. */
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

/** The live runs of an agent. Sends no request unless `isWorking`. */
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
 * The estimated tokens of each tool of these servers, by server and tool. Loads only for the Admin
 * role.
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
            (await api.servers.tools({ serverId: id }, { signal })).flatMap((tool) =>
              tool.kind === "tool" ? [[`${name} ${tool.name}`, tool.tokens] as const] : [],
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

/** The tool calls of the agent, newest first, 20 per page. */
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

/** Pauses or resumes agents. The page shows the change before the server responds. */
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
