import type { CommentVersion, DescriptionVersion } from "@quartermaster/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useData } from "../live/data.ts";
import { pagesOf } from "../live/query.ts";
import { fresh, issueKey } from "./issueStore.ts";

/** The texts that a comment has and had, newest first, page by page. */
export const useCommentVersions = (issueId: string, commentId: string) => {
  const { api } = useData();
  return useInfiniteQuery({
    ...pagesOf<CommentVersion>([...issueKey(issueId), "versions", commentId], (cursor, signal) =>
      api.comments
        .versions({ issueId, commentId, order: "desc", limit: 20, cursor }, { signal })
        .page(),
    ),
    ...fresh,
  });
};

/** The descriptions that an issue has and had, newest first, page by page. */
export const useDescriptionVersions = (issueId: string) => {
  const { api } = useData();
  return useInfiniteQuery({
    ...pagesOf<DescriptionVersion>([...issueKey(issueId), "versions"], (cursor, signal) =>
      api.issues.versions({ issueId, order: "desc", limit: 20, cursor }, { signal }).page(),
    ),
    ...fresh,
  });
};
