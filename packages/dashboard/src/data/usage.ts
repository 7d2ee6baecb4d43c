import type { GroupUsage, Run } from "@quartermaster/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { issueKey } from "./issues/issueStore.ts";
import { useData } from "./live/data.ts";
import type { StatsWindow } from "./stats.ts";

export type { GroupUsage } from "@quartermaster/client";

/** The tokens and the cost of a run or of a group of runs. */
export type Usage = NonNullable<Run["usage"]> | GroupUsage;

/** The polling interval in milliseconds: reports of usage emit no event. */
const beat = 30_000;

const polled = { refetchInterval: beat, refetchOnMount: "always" } as const;

/** The usage of all runs of an issue. */
export const useIssueUsage = (issueId: string) => {
  const { api } = useData();
  return useQuery({
    queryKey: [...issueKey(issueId), "usage"],
    ...polled,
    queryFn: ({ signal }) => api.usage.ofIssue({ issueId }, { signal }),
  });
};

/** The usage of an agent in the retained time; null without any. */
export const useAgentUsage = (agentId: string) => {
  const { api } = useData();
  return useQuery({
    queryKey: ["usage", "agent", agentId],
    ...polled,
    queryFn: async ({ signal }) =>
      (await api.usage.list({ groupBy: "agent", agentId }, { signal }).page()).items[0] ?? null,
  });
};

const hours: Readonly<Record<StatsWindow, number>> = { "24h": 24, "7d": 168, "30d": 720 };

/** The usage in a window, by model, at most 100. */
export const useModelUsage = (window: StatsWindow, projectId: string | undefined) => {
  const { api } = useData();
  return useQuery({
    queryKey: ["usage", "models", window, projectId ?? null],
    ...polled,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const from = new Date(Date.now() - hours[window] * 3_600_000).toISOString();
      return (await api.usage.list({ groupBy: "model", from, projectId }, { signal }).page()).items;
    },
  });
};

/** The usage by agent in a time of whole hours, and in the same time before; at most 500 agents each. */
export const useUsageByAgent = (
  { from, to }: { readonly from: string; readonly to: string },
  projectId: string | undefined,
) => {
  const { api } = useData();
  return useQuery({
    queryKey: ["usage", "agents", from, to, projectId ?? null],
    ...polled,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const read = async (from: string, to: string) => {
        const query = { groupBy: "agent", from, to, projectId, limit: 500 } as const;
        const { items } = await api.usage.list(query, { signal }).page();
        return new Map(items.map((usage) => [usage.key, usage]));
      };
      const start = new Date(2 * Date.parse(from) - Date.parse(to)).toISOString();
      const [current, previous] = await Promise.all([read(from, to), read(start, from)]);
      return { current, previous };
    },
  });
};
