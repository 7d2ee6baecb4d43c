import { useQuery } from "@tanstack/react-query";
import { useData } from "../live/data.ts";

export type { ToolCall } from "@quartermaster/client";

/** The maximum number of calls that the screen reads. */
export const callLimit = 500;

/** The newest calls of a server's tools. Calls emit no event, so each visit refetches. */
export const useCalls = (serverId: string) => {
  const { api } = useData();
  return useQuery({
    queryKey: ["calls", serverId],
    staleTime: 0,
    queryFn: async ({ signal }) =>
      (await api.tools.calls({ serverId, limit: callLimit }, { signal }).page()).items,
  });
};

/** The newest 20 calls of a server's tools. */
export const useNewestCalls = (serverId: string) => {
  const { api } = useData();
  return useQuery({
    queryKey: ["calls", serverId, "newest"],
    queryFn: async ({ signal }) =>
      (await api.tools.calls({ serverId, limit: 20 }, { signal }).page()).items,
    refetchInterval: 60_000,
    refetchOnMount: "always",
  });
};
