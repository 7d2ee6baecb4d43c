import type { Issue, IssueLink } from "@quartermaster/client";
import { useMutation, useQueries, useQuery } from "@tanstack/react-query";
import { useData } from "../live/data.ts";
import { useRefreshIssue } from "./issue.ts";
import { fresh, issueFields, issueKey } from "./issueStore.ts";

export type { IssueLink } from "@quartermaster/client";

/** The dependencies and links of one issue. */

/** The issue with its blockers and dependents, as brief issues. */
export const useNeighbors = (issueId: string) => {
  const { api } = useData();
  return useQuery({
    queryKey: [...issueKey(issueId), "neighbors"],
    ...fresh,
    queryFn: ({ signal }) => api.issues.graph({ issueId, depth: 1 }, { signal }),
  });
};

/** The issues with these ids. The dependency graph does not contain other kinds of links. */
export const useIssuesById = (ids: ReadonlyArray<string>): ReadonlyMap<string, Issue> => {
  const data = useData();
  const results = useQueries({ queries: ids.map((id) => issueFields(data, id)) });
  return new Map(
    results.flatMap(({ data: issue }) => (issue === undefined ? [] : [[issue.id, issue]])),
  );
};

export const useLink = (issueId: string) => {
  const { api } = useData();
  return useMutation({
    mutationFn: (link: {
      readonly targetIssueId: string;
      readonly linkType: IssueLink["linkType"];
    }) => api.links.create({ issueId, ...link }),
    onSettled: useRefreshIssue(issueId),
  });
};

export const useUnlink = (issueId: string) => {
  const data = useData();
  return useMutation({
    mutationFn: (linkId: string) => data.api.links.delete({ linkId }),
    onMutate: (linkId) => {
      data.queries.setQueryData(
        issueFields(data, issueId).queryKey,
        (known) => known && { ...known, links: known.links.filter(({ id }) => id !== linkId) },
      );
    },
    onSettled: useRefreshIssue(issueId),
  });
};
