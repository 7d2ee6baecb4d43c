import type { Activity, Comment, Run } from "@quartermaster/client";
import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { type Data, useData } from "../live/data.ts";
import { pagesOf, showsFailure } from "../live/query.ts";
import { fresh, issueKey } from "./issueStore.ts";

export type { Activity, Comment, Run } from "@quartermaster/client";

/** The stream of one issue: its timeline, comments and runs. */

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

const comments = ({ api }: Data, issueId: string) =>
  pagesOf<Comment>([...issueKey(issueId), "comments"], (cursor, signal) =>
    api.comments.list({ issueId, ...newestFirst, cursor }, { signal }).page(),
  );

/** The comments of an issue, newest first, page by page. */
export const useComments = (issueId: string) =>
  useInfiniteQuery({ ...comments(useData(), issueId), ...fresh });

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

/** Adds a comment. An idempotency key makes a retry after a lost response safe. */
export const useAddComment = (issueId: string) => {
  const data = useData();
  return useMutation({
    meta: showsFailure,
    mutationFn: async ({ content, key }: { readonly content: string; readonly key: string }) => {
      const comment = await data.api.comments.create({ issueId, content }, { idempotencyKey: key });
      data.queries.setQueryData(comments(data, issueId).queryKey, (known) => {
        const [first, ...others] = known?.pages ?? [];
        if (known === undefined || first === undefined) return known;
        if (first.items.some(({ id }) => id === comment.id)) return known;
        return { ...known, pages: [{ ...first, items: [comment, ...first.items] }, ...others] };
      });
      return comment;
    },
  });
};
