import { type Comment, isProblem } from "@quartermaster/client";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { type Data, useData } from "../live/data.ts";
import { pagesOf, showsFailure } from "../live/query.ts";
import { fresh, issueKey } from "./issueStore.ts";

/** The comments of an issue, and their changes. */

export const commentList = ({ api }: Data, issueId: string) =>
  pagesOf<Comment>([...issueKey(issueId), "comments"], (cursor, signal) =>
    api.comments.list({ issueId, order: "desc", limit: 100, cursor }, { signal }).page(),
  );

/** The comments of an issue, newest first, page by page. */
export const useComments = (issueId: string) =>
  useInfiniteQuery({ ...commentList(useData(), issueId), ...fresh });

/** Adds a comment. An idempotency key makes a retry after a lost response safe. */
export const useAddComment = (issueId: string) => {
  const data = useData();
  return useMutation({
    meta: showsFailure,
    mutationFn: async ({ content, key }: { readonly content: string; readonly key: string }) => {
      const comment = await data.api.comments.create({ issueId, content }, { idempotencyKey: key });
      data.queries.setQueryData(commentList(data, issueId).queryKey, (known) => {
        const [first, ...others] = known?.pages ?? [];
        if (known === undefined || first === undefined) return known;
        if (first.items.some(({ id }) => id === comment.id)) return known;
        return { ...known, pages: [{ ...first, items: [comment, ...first.items] }, ...others] };
      });
      return comment;
    },
  });
};

/** Whether the comment has another version than the change required. */
export const isChanged = (error: unknown): boolean => isProblem(error, "precondition-failed");

/** Replaces the text of a comment that has this version. After a conflict the comments are read again. */
export const useEditComment = ({ id: commentId, issueId }: Comment) => {
  const data = useData();
  const { queryKey } = commentList(data, issueId);
  return useMutation({
    meta: showsFailure,
    mutationFn: async ({
      content,
      version,
    }: {
      readonly content: string;
      readonly version: number;
    }) => {
      try {
        const edited = await data.api.comments.update(
          { issueId, commentId, content },
          { ifMatch: version },
        );
        data.queries.setQueryData(
          queryKey,
          (known) =>
            known && {
              ...known,
              pages: known.pages.map((page) => ({
                ...page,
                items: page.items.map((comment) => (comment.id === commentId ? edited : comment)),
              })),
            },
        );
      } catch (error) {
        if (isChanged(error)) await data.queries.invalidateQueries({ queryKey });
        throw error;
      }
    },
  });
};

/** Deletes the comment, or with `purge` every version of its text. */
export const useDeleteComment = ({ id: commentId, issueId }: Comment) => {
  const { api, queries } = useData();
  return useMutation({
    meta: showsFailure,
    mutationFn: async (purge: boolean) => {
      await api.comments.delete({ issueId, commentId, ...(purge ? { purge } : {}) });
      await queries.invalidateQueries({ queryKey: issueKey(issueId) });
    },
  });
};
