import type { Issue } from "@quartermaster/client";
import { queryOptions } from "@tanstack/react-query";
import type { Data } from "../live/data.ts";

/** The people of an issue: its creator and its assignee. */
const peopleOf = ({ assigneeUserId, createdBy }: Pick<Issue, "assigneeUserId" | "createdBy">) => [
  ...(assigneeUserId === null ? [] : [assigneeUserId]),
  ...(createdBy.type === "User" ? [createdBy.id] : []),
];

/**
 * The people around an issue: first the creator, the assignee and the authors of the newest 100 comments, then the people of the 200
 * issues of its project that changed last. There is no list of all people: the host has them.
 */
export const peopleAround = ({ api }: Data, issueId: string) =>
  queryOptions({
    queryKey: ["people around", issueId],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const [issue, comments] = await Promise.all([
        api.issues.get({ issueId }, { signal }),
        api.comments.list({ issueId, order: "desc", limit: 100 }, { signal }).page(),
      ]);
      const { projectId } = issue;
      const others = await api.issues
        .list({ projectId, sort: "updated", order: "desc", limit: 200 }, { signal })
        .page();
      const authors = comments.items.flatMap(({ authorId, authorType }) =>
        authorType === "User" ? [authorId] : [],
      );
      return [...new Set([...peopleOf(issue), ...authors, ...others.items.flatMap(peopleOf)])];
    },
  });
