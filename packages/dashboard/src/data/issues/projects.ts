import { useQuery } from "@tanstack/react-query";
import { useData } from "../live/data.ts";
import type { Status } from "./issues.ts";

export type { ProjectSummary } from "@quartermaster/client";

/** The first 500 projects, with the number of their issues by status. */
export const useProjects = () => {
  const { api } = useData();
  return useQuery({
    queryKey: ["projects"],
    queryFn: async ({ signal }) =>
      (await api.projects.list({ limit: 500 }, { signal }).page()).items,
  });
};

/** The number of issues with a status, in these projects or in all projects; null until it is loaded. */
export const useTotal = (
  status: Status,
  projectId: ReadonlyArray<string> | undefined,
): number | null => {
  const { data } = useProjects();
  return (
    data
      ?.filter(({ id }) => projectId === undefined || projectId.includes(id))
      .reduce((sum, { counts }) => sum + counts[status], 0) ?? null
  );
};
