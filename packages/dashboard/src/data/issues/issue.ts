import { type Issue, isProblem } from "@quartermaster/client";
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { type Data, useData, useStore } from "../live/data.ts";
import { showsFailure } from "../live/query.ts";
import { fresh, issueFields, issueKey, issueStore } from "./issueStore.ts";
import { saves } from "./saves.ts";
import { useAddComment } from "./stream.ts";

export type { Issue, Readiness } from "@quartermaster/client";

/** Whether the error means that the issue is deleted, or that the user may not see it. */
export const isGone = (error: unknown): boolean => isProblem(error, "not-found");

export const useIssue = (id: string) => useQuery(issueFields(useData(), id));

const readiness = ({ api }: Data, issueId: string) =>
  queryOptions({
    queryKey: [...issueKey(issueId), "readiness"],
    ...fresh,
    queryFn: ({ signal }) => api.issues.readiness({ issueId }, { signal }),
  });

export const useReadiness = (id: string) => useQuery(readiness(useData(), id));

/** The reasons why agents do not pick up the issue. */
export const useReasons = (id: string, enabled: boolean) =>
  useQuery({ ...readiness(useData(), id), enabled, select: ({ reasons }) => reasons });

/** Adds a comment, then sets the status `Open`. */
export const useRequestChanges = (issue: Issue) => {
  const issues = useStore(issueStore);
  const save = useStore(saves);
  const comment = useAddComment(issue.id);
  return useMutation({
    meta: showsFailure,
    mutationFn: async ({ content, key }: { readonly content: string; readonly key: string }) => {
      if (content !== "") await comment.mutateAsync({ content, key });
      issues.put(await save.fields(issue, { status: "Open" }));
    },
  });
};

/** Refetches all data of an issue. */
export const useRefreshIssue = (id: string) => {
  const { queries } = useData();
  return () => queries.invalidateQueries({ queryKey: issueKey(id) });
};
