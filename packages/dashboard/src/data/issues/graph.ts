import { useQuery } from "@tanstack/react-query";
import { useData } from "../live/data.ts";

/** The subject of a graph: an issue with its transitive dependencies, or a project. */
export type GraphScope =
  | { readonly issueId: string; readonly projectId?: undefined }
  | { readonly projectId: string; readonly issueId?: undefined };

/** The issues of the scope and the edges between them. */
export const useGraph = (scope: GraphScope | undefined) => {
  const { api } = useData();
  return useQuery({
    queryKey: ["graph", scope],
    enabled: scope !== undefined,
    queryFn: ({ signal }) =>
      scope?.issueId === undefined
        ? api.projects.graph({ projectId: scope?.projectId ?? "" }, { signal })
        : api.issues.graph({ issueId: scope.issueId }, { signal }),
    // Refetches on every visit, to include the changes since the last one.
    refetchOnMount: "always",
  });
};
