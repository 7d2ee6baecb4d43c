import type { Issue, IssueLink } from "@quartermaster/client";
import { useMutation, useQueries, useQuery } from "@tanstack/react-query";
import { api } from "../live/client.ts";
import { queryClient, useRefreshOn } from "../live/query.ts";
import { fresh, issueKinds, keyOf, refreshIssue } from "./issue.ts";

export type { IssueLink } from "@quartermaster/client";

/** What one issue is linked to. */

/** The issue with its blockers and dependents, as they are in lists. */
export const useNeighbors = (id: string) => {
  const queryKey = [...keyOf(id), "graph"];
  const query = useQuery({
    queryKey,
    ...fresh,
    queryFn: ({ signal }) => api.issues.graph({ issueId: id, depth: 1 }, { signal }),
  });
  useRefreshOn(issueKinds, queryKey, query.data?.nodes.map((node) => node.id) ?? []);
  return query;
};

/** Issues by id, for links that are not in the graph. */
export const useIssuesById = (ids: ReadonlyArray<string>): ReadonlyMap<string, Issue> => {
  const results = useQueries({
    queries: ids.map((id) => ({
      queryKey: [...keyOf(id), "fields"],
      ...fresh,
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        api.issues.get({ issueId: id }, { signal }),
    })),
  });
  return new Map(results.flatMap(({ data }) => (data === undefined ? [] : [[data.id, data]])));
};

export const useLink = (issueId: string) =>
  useMutation({
    mutationFn: (link: {
      readonly targetIssueId: string;
      readonly linkType: IssueLink["linkType"];
    }) => api.links.create({ issueId, ...link }),
    onSettled: () => refreshIssue(issueId),
  });

export const useUnlink = (issueId: string) =>
  useMutation({
    mutationFn: (linkId: string) => api.links.delete({ linkId }),
    onMutate: (linkId) => {
      queryClient.setQueryData<Issue>([...keyOf(issueId), "fields"], (known) =>
        known === undefined
          ? known
          : { ...known, links: known.links.filter(({ id }) => id !== linkId) },
      );
    },
    onSettled: () => refreshIssue(issueId),
  });
