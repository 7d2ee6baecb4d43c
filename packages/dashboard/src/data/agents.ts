import type { Agent, AgentTool, BriefIssue, Run, ToolCall } from "@quartermaster/client";
import {
  type InfiniteData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  type UseQueryResult,
} from "@tanstack/react-query";
import { findIssue } from "./issues/issues.ts";
import { api } from "./live/client.ts";
import { queryClient, useRefreshOn } from "./live/query.ts";
import { useMay } from "./live/session.ts";

export type { Agent, AgentTool, Run, ToolCall } from "@quartermaster/client";

const agentKinds = /^agent\./;
const workKinds = /^(agent|issue|project)\./;
const toolKinds = /^(agent\.updated|mcp\.)/;
const listKey = ["agents"];

/** Heartbeats, renewals of leases and tool calls emit no event. A tab in the background reads nothing. */
const beat = 15_000;

/** The first 500 agents. `watch` follows their heartbeats. */
export const useAgents = ({ watch = false }: { readonly watch?: boolean } = {}) => {
  useRefreshOn(agentKinds, listKey);
  return useQuery({
    queryKey: listKey,
    queryFn: async ({ signal }) => (await api.agents.list({ limit: 500 }, { signal }).page()).items,
    refetchInterval: watch && beat,
    refetchOnMount: watch ? "always" : true,
  });
};

const agentKey = (agentId: string) => ["agent", "one", agentId];

export const useAgent = (agentId: string) => {
  const queryKey = agentKey(agentId);
  useRefreshOn(workKinds, queryKey);
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => api.agents.get({ agentId }, { signal }),
    placeholderData: () =>
      queryClient.getQueryData<ReadonlyArray<Agent>>(listKey)?.find(({ id }) => id === agentId),
    refetchInterval: beat,
    refetchOnMount: "always",
  });
};

/** What agents do now and next: the most urgent issues of all projects. */
export interface Work {
  /** Issues that a run holds, by the run's agent. */
  readonly running: ReadonlyMap<string, ReadonlyArray<BriefIssue>>;
  /** Open issues that are not paused, by their agent. */
  readonly queued: ReadonlyMap<string, number>;
  /** Whether there are more of them than were read. */
  readonly isMore: boolean;
}

const workKey = ["agent", "work"];

export const useAgentWork = (): UseQueryResult<Work> => {
  useRefreshOn(workKinds, workKey);
  return useQuery({
    queryKey: workKey,
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
    refetchInterval: beat,
    refetchOnMount: "always",
  });
};

/** Issues that the agent has not started, most urgent first: at most 50. */
export const useQueue = (agentId: string) => {
  const queryKey = ["agent", "queue", agentId];
  useRefreshOn(workKinds, queryKey);
  return useQuery({
    queryKey,
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

interface Pages<Item> extends InfiniteData<
  { readonly items: ReadonlyArray<Item>; readonly next: string | null },
  string | undefined
> {}

const itemsOf = <Item>({ pages }: Pages<Item>) => pages.flatMap(({ items }) => items);

/** Runs of the agent, newest first, 20 at a time. */
export const useRuns = (agentId: string) => {
  const queryKey = ["agent", "runs", agentId];
  useRefreshOn(workKinds, queryKey);
  return useInfiniteQuery({
    queryKey,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      api.agents.runs({ agentId, limit: 20, cursor: pageParam }, { signal }).page(),
    getNextPageParam: ({ next }) => next ?? undefined,
    select: (data: Pages<Run>) => itemsOf(data),
    refetchInterval: beat,
    refetchOnMount: "always",
  });
};

/** The newest 20 runs that ended. */
export const useEndedRuns = (agentId: string) =>
  useQuery({
    queryKey: ["agent", "ended", agentId],
    queryFn: async ({ signal }) =>
      (await api.agents.runs({ agentId, status: "ended", limit: 20 }, { signal }).page()).items,
    refetchInterval: 4 * beat,
    refetchOnMount: "always",
  });

/** The runs that hold an issue now, of an agent that works. */
export const useLiveRuns = (agentId: string, isWorking: boolean) => {
  const queryKey = ["agent", "live", agentId];
  useRefreshOn(workKinds, queryKey);
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (await api.agents.runs({ agentId, status: "active", limit: 20 }, { signal }).page()).items,
    enabled: isWorking,
  });
};

type NamedIssue = Pick<BriefIssue, "id" | "projectId" | "title" | "status">;

/** An issue that a run names: its title and status. */
export const useNamedIssue = (issueId: string) =>
  useQuery({
    queryKey: ["issues", "named", issueId],
    queryFn: ({ signal }): Promise<NamedIssue> => api.issues.get({ issueId }, { signal }),
    placeholderData: () => findIssue(issueId),
    staleTime: 60_000,
  });

export const useAgentTools = (agentId: string) => {
  const queryKey = ["agent", "tools", agentId];
  useRefreshOn(toolKinds, queryKey);
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => api.tools.list({ agentId }, { signal }),
    enabled: useMay("Editor"),
  });
};

/** What each tool of these servers costs, by server and tool, for a user who may see it. */
export const usePrices = (tools: ReadonlyArray<AgentTool> | undefined) => {
  const names = [...new Set(tools?.map(({ server }) => server))].toSorted();
  return useQuery({
    queryKey: ["agent", "prices", names],
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
export const useCalls = (agentId: string) =>
  useInfiniteQuery({
    queryKey: ["agent", "calls", agentId],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      api.tools.calls({ agentId, limit: 20, cursor: pageParam }, { signal }).page(),
    getNextPageParam: ({ next }) => next ?? undefined,
    select: (data: Pages<ToolCall>) => itemsOf(data),
    enabled: useMay("Admin"),
    refetchInterval: beat,
    refetchOnMount: "always",
  });

const patch = (agentId: string, change: Partial<Agent>) => {
  queryClient.setQueryData<Agent>(agentKey(agentId), (agent) => agent && { ...agent, ...change });
  queryClient.setQueryData<ReadonlyArray<Agent>>(listKey, (agents) =>
    agents?.map((agent) => (agent.id === agentId ? { ...agent, ...change } : agent)),
  );
};

/** Pauses or resumes agents, shown immediately. */
export const useChangeAgent = () =>
  useMutation({
    mutationFn: async ({
      agent: { id, paused: before },
      paused,
    }: {
      readonly agent: Agent;
      readonly paused: boolean;
    }) => {
      patch(id, { paused });
      try {
        patch(id, await api.agents.put({ agentId: id, paused }));
      } catch (error) {
        patch(id, { paused: before });
        throw error;
      }
    },
  });
