import type { Activity, Run } from "@quartermaster/client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useData } from "../live/data.ts";
import { pagesOf } from "../live/query.ts";
import { fresh, issueKey } from "./issueStore.ts";

export type { Activity, Comment, Run } from "@quartermaster/client";

/** The stream of one issue: its timeline and runs; `comments.ts` has its comments. */

const newestFirst = { order: "desc", limit: 100 } as const;

/** The timeline of an issue, newest first, page by page. */
export const useActivity = (issueId: string) => {
  const { api } = useData();
  return useInfiniteQuery({
    ...pagesOf<Activity>([...issueKey(issueId), "activity"], (cursor, signal) =>
      api.issues.activity({ issueId, ...newestFirst, cursor }, { signal }).page(),
    ),
    ...fresh,
  });
};

/** The polling interval of runs in milliseconds: the renewal and the end of a lease emit no event. */
const beat = 30_000;

/** The 200 newest runs of the issue. A new `version` reads them again, because runs may have started or ended. */
export const useIssueRuns = (issueId: string, version: string): ReadonlyArray<Run> => {
  const { api } = useData();
  const { data } = useQuery({
    queryKey: [...issueKey(issueId), "runs", version],
    ...fresh,
    queryFn: async ({ signal }) =>
      (await api.runs.list({ issueId, limit: 200 }, { signal }).page()).items,
    placeholderData: (previous) => previous,
    refetchInterval: ({ state: { data: runs } }) =>
      runs?.some(({ status }) => status !== "ended") === true ? beat : false,
  });
  return data ?? [];
};
