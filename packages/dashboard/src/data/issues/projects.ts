import type { Project, ProjectCreate, ProjectUpdate } from "@quartermaster/client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useData } from "../live/data.ts";
import { showsFailure } from "../live/query.ts";
import type { Status } from "./issues.ts";

export type { Project, ProjectSummary } from "@quartermaster/client";

/** The first 500 projects, with the number of their issues by status. */
export const useProjects = () => {
  const { api } = useData();
  return useQuery({
    queryKey: ["projects"],
    queryFn: async ({ signal }) =>
      (await api.projects.list({ limit: 500 }, { signal }).page()).items,
  });
};

/** A project in a list to choose from, which finds it by its name and its id. */
export const projectText = ({ id, name }: Pick<Project, "id" | "name">): string =>
  name === null ? id : `${name} (${id})`;

/** Names of projects. A project without a name, or after the first 500, has its id. */
export const useProjectNames = (): ((id: string) => string) => {
  const { data } = useProjects();
  return (id) => data?.find((project) => project.id === id)?.name ?? id;
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

/** A project with its settings. It is not read again while `isDeleting`. */
export const useProject = (projectId: string, isDeleting = false) => {
  const { api } = useData();
  return useQuery({
    enabled: !isDeleting,
    queryKey: ["projects", projectId],
    queryFn: ({ signal }) => api.projects.get({ projectId }, { signal }),
  });
};

type Change = { readonly projectId: string } & ProjectUpdate;

const useSave = <A>(
  save: (input: A) => Promise<Project>,
  meta: Readonly<Record<string, unknown>>,
) => {
  const { queries } = useData();
  return useMutation({
    meta,
    mutationFn: save,
    onSuccess: (project) => {
      queries.setQueryData(["projects", project.id], project);
      return queries.invalidateQueries({ queryKey: ["projects"], exact: true });
    },
  });
};

/** Pauses or resumes a project. The shell shows a failure. */
export const usePauseProject = () => {
  const { api } = useData();
  return useSave((change: Change) => api.projects.put(change), {});
};

/** Changes the settings of a project. The calling form shows a failure. */
export const useChangeProject = () => {
  const { api } = useData();
  return useSave((change: Change) => api.projects.put(change), showsFailure);
};

/** Deletes a project, and forgets it after `leave` has left its page. The calling dialog shows a failure. */
export const useDeleteProject = (leave: () => Promise<void>) => {
  const { api, queries } = useData();
  return useMutation({
    meta: showsFailure,
    mutationFn: (projectId: string) => api.projects.delete({ projectId }),
    onSuccess: async (_, projectId) => {
      void queries.invalidateQueries({ queryKey: ["projects"], exact: true });
      await leave();
      queries.removeQueries({ queryKey: ["projects", projectId] });
    },
  });
};

/** Creates a project. The calling dialog shows a failure. */
export const useCreateProject = () => {
  const { api } = useData();
  return useSave((input: ProjectCreate) => api.projects.create(input), showsFailure);
};
