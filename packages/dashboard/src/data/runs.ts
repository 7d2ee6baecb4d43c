import type { Run, RunTimelineEntry } from "@quartermaster/client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useData } from "./live/data.ts";
import { itemsOf, pagesOf } from "./live/query.ts";

export type { Run, RunTimelineEntry } from "@quartermaster/client";

/** The polling interval of a run in milliseconds. Notes and turns emit no event. */
const beat = 3_000;

const isLive = ({ leaseExpiresAt, status }: Run): boolean =>
  status !== "ended" && Date.parse(leaseExpiresAt) > Date.now();

export const useRun = (runId: string) => {
  const { api } = useData();
  return useQuery({
    queryKey: ["agent work", "run", runId],
    queryFn: ({ signal }) => api.runs.get({ runId }, { signal }),
    refetchInterval: ({ state: { data } }) => (data === undefined || isLive(data) ? beat : false),
  });
};

/** The events of the run, oldest first, 100 per page. */
export const useRunTimeline = (run: Run) => {
  const { api } = useData();
  const { agentId, id: runId } = run;
  return useInfiniteQuery({
    ...pagesOf<RunTimelineEntry>(["agent work", "timeline", runId], (cursor, signal) =>
      api.runs.timeline({ agentId, runId, limit: 100, cursor }, { signal }).page(),
    ),
    refetchInterval: isLive(run) ? beat : false,
    select: itemsOf,
  });
};
