import type { Statistics } from "@quartermaster/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useData } from "./live/data.ts";

export type { Statistics } from "@quartermaster/client";
export type StatsWindow = Statistics["window"];

/** In this file, because the route of the screen loads it first. */
export const windows: ReadonlyArray<StatsWindow> = ["24h", "7d", "30d"];

/** Statistics. The server counts every few seconds; a tab in the background reads nothing. */
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
