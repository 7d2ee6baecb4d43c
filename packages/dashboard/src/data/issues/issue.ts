import { type Issue, isProblem } from "@quartermaster/client";
import { useQuery } from "@tanstack/react-query";
import { api } from "../live/client.ts";
import { queryClient, useRefreshOn } from "../live/query.ts";
import { showInLists } from "./issueLists.ts";

export type { Issue, Readiness } from "@quartermaster/client";

/** What the page of one issue shows. Events of the issue, and of what it is linked to, read it again. */

/** Events change them only while they are shown, so each visit reads them again. */
export const fresh = { staleTime: 0 } as const;

/** Whether the issue is deleted, or not visible to the user. */
export const isGone = (error: unknown): boolean => isProblem(error, "not-found");

export const issueKinds = /^issue\./;
export const keyOf = (id: string) => ["issue", id] as const;

export const useIssue = (id: string) => {
  const queryKey = keyOf(id);
  useRefreshOn(issueKinds, queryKey, [id]);
  return useQuery({
    queryKey: [...queryKey, "fields"],
    ...fresh,
    queryFn: ({ signal }) => api.issues.get({ issueId: id }, { signal }),
  });
};

const readinessKinds = /^(issue\.(?!commented|attached|detached)|agent\.|project\.)/;

export const useReadiness = (id: string) => {
  const queryKey = [...keyOf(id), "readiness"];
  useRefreshOn(readinessKinds, queryKey);
  return useQuery({
    queryKey,
    ...fresh,
    queryFn: ({ signal }) => api.issues.readiness({ issueId: id }, { signal }),
  });
};

export const put = (issue: Issue) => {
  queryClient.setQueryData<Issue>([...keyOf(issue.id), "fields"], (known) =>
    known !== undefined && known.version > issue.version ? known : issue,
  );
  showInLists(issue);
};

/** Shows a change of the page immediately, and takes it back if the server refuses it. */
export const optimistic = async (
  issue: Issue,
  shown: Partial<Issue>,
  save: () => Promise<Issue | void>,
): Promise<void> => {
  put({ ...issue, ...shown });
  try {
    const saved = await save();
    if (saved !== undefined) put(saved);
  } catch (error) {
    put(issue);
    await queryClient.invalidateQueries({ queryKey: keyOf(issue.id) });
    throw error;
  }
};

export const refreshIssue = (id: string) => queryClient.invalidateQueries({ queryKey: keyOf(id) });
