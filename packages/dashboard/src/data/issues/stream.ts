import type { Activity, Comment } from "@quartermaster/client";
import {
  type InfiniteData,
  useInfiniteQuery,
  useMutation,
  useQueries,
} from "@tanstack/react-query";
import { api } from "../live/client.ts";
import { queryClient, showsFailure } from "../live/query.ts";
import { fresh, keyOf } from "./issue.ts";

export type { Activity, Comment, Run } from "@quartermaster/client";

/** What happened with one issue: its timeline, comments and runs. */

interface StreamPage<Item> {
  readonly items: ReadonlyArray<Item>;
  readonly next: string | null;
}

const newestFirst = { order: "desc", limit: 100 } as const;

/** Its timeline, newest first, page by page. */
export const useActivity = (id: string) =>
  useInfiniteQuery({
    queryKey: [...keyOf(id), "activity"],
    initialPageParam: undefined as string | undefined,
    ...fresh,
    queryFn: ({ pageParam, signal }): Promise<StreamPage<Activity>> =>
      api.issues.activity({ issueId: id, ...newestFirst, cursor: pageParam }, { signal }).page(),
    getNextPageParam: ({ next }) => next ?? undefined,
  });

const commentsKey = (id: string) => [...keyOf(id), "comments"];

/** Its comments, newest first, page by page. */
export const useComments = (id: string) =>
  useInfiniteQuery({
    queryKey: commentsKey(id),
    initialPageParam: undefined as string | undefined,
    ...fresh,
    queryFn: ({ pageParam, signal }): Promise<StreamPage<Comment>> =>
      api.comments.list({ issueId: id, ...newestFirst, cursor: pageParam }, { signal }).page(),
    getNextPageParam: ({ next }) => next ?? undefined,
  });

/** The newest 200 runs of each of these agents. `version` changes when there may be others. */
export const useRuns = (id: string, agentIds: ReadonlyArray<string>, version: string) => {
  const results = useQueries({
    queries: agentIds.map((agentId) => ({
      queryKey: [...keyOf(id), "runs", agentId, version],
      ...fresh,
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        (await api.agents.runs({ agentId, limit: 200, order: "desc" }, { signal }).page()).items,
    })),
  });
  return results.flatMap(({ data }) => data ?? []).filter(({ issueId }) => issueId === id);
};

type Pages<Item> = InfiniteData<StreamPage<Item>, string | undefined>;

/** Adds a comment. Its key makes a repetition after a lost response safe. */
export const useAddComment = (issueId: string) =>
  useMutation({
    meta: showsFailure,
    mutationFn: async ({ content, key }: { readonly content: string; readonly key: string }) => {
      const comment = await api.comments.create({ issueId, content }, { idempotencyKey: key });
      queryClient.setQueryData<Pages<Comment>>(commentsKey(issueId), (known) => {
        const [first, ...others] = known?.pages ?? [];
        if (known === undefined || first === undefined) return known;
        if (first.items.some(({ id }) => id === comment.id)) return known;
        return { ...known, pages: [{ ...first, items: [comment, ...first.items] }, ...others] };
      });
      return comment;
    },
  });
