import { useQuery } from "@tanstack/react-query";
import { useData } from "../live/data.ts";
import { rootsOf } from "./chains.ts";
import { useProjects } from "./projects.ts";

/**
 * The maximum number of projects whose graphs are read: the projects with the most blocked issues.
 */
const maxProjects = 8;

/** The issues that block most, in one project or in the `maxProjects` with the most blocked issues. */
export const useRoots = (projectId: string | undefined) => {
  const { api } = useData();
  const summaries = useProjects().data;
  const projects =
    projectId === undefined
      ? summaries
          ?.filter(({ counts }) => counts.WaitingOnDependency > 0)
          .toSorted((a, b) => b.counts.WaitingOnDependency - a.counts.WaitingOnDependency)
          .slice(0, maxProjects)
          .map(({ id }) => id)
          .toSorted()
      : [projectId];
  return useQuery({
    queryKey: ["roots", projects],
    queryFn: async ({ signal }) => {
      const graphs = await Promise.all(
        (projects ?? []).map((id) => api.projects.graph({ projectId: id, depth: 50 }, { signal })),
      );
      return rootsOf(graphs);
    },
    enabled: projects !== undefined,
    staleTime: 5_000,
  });
};
