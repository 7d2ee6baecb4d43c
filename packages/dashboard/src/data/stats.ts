import type { AgentStatistics, Statistics } from "@quartermaster/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useData } from "./live/data.ts";

export type { AgentStatistics, Statistics } from "@quartermaster/client";
export type StatsWindow = Statistics["window"];

/** The windows of the statistics. In this file because the route loads it first. */
export const windows: ReadonlyArray<StatsWindow> = ["24h", "7d", "30d"];

/** The statistics, polled because the server recounts every few seconds. Background tabs do not poll. */
export const useStats = (window: StatsWindow, projectId: string | undefined) => {
  const { api } = useData();
  return useQuery({
    queryKey: ["stats", window, projectId ?? null],
    queryFn: ({ signal }) =>
      api.stats.get({ window, ...(projectId === undefined ? {} : { projectId }) }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
    refetchOnMount: "always",
  });
};

/** The statistics of the 500 newest agents. */
export const useAgentStats = (window: StatsWindow, projectId: string | undefined) => {
  const { api } = useData();
  return useQuery({
    queryKey: ["stats", "agents", window, projectId ?? null],
    queryFn: async ({ signal }): Promise<ReadonlyArray<AgentStatistics>> =>
      (await api.stats.agents({ window, projectId, limit: 500 }, { signal }).page()).items,
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
    refetchOnMount: "always",
  });
};
