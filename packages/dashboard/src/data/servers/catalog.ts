import type { ServerInstall } from "@quartermaster/client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useData } from "../live/data.ts";
import { showsFailure } from "../live/query.ts";
import { allServers, oneServer } from "./servers.ts";

export type { CatalogEntry, CatalogEntrySummary, EnvVar, HostReport } from "@quartermaster/client";

export const useCatalog = () => {
  const { api } = useData();
  return useQuery({
    queryKey: ["catalog", "all"],
    queryFn: ({ signal }) => api.catalog.list({}, { signal }),
  });
};

/** One catalog entry, with its variables. */
export const useCatalogEntry = (entryId: string) => {
  const { api } = useData();
  return useQuery({
    queryKey: ["catalog", "entry", entryId],
    queryFn: ({ signal }) => api.catalog.get({ entryId }, { signal }),
  });
};

/** The runtimes and sandboxes of the host, read once per page load. */
export const useHost = () => {
  const { api } = useData();
  return useQuery({
    queryKey: ["host"],
    queryFn: ({ signal }) => api.catalog.runtime({}, { signal }),
  });
};

/** Installs a catalog entry. The form shows a failure. */
export const useInstall = () => {
  const data = useData();
  const { api, queries } = data;
  return useMutation({
    meta: showsFailure,
    mutationFn: (input: ServerInstall) => api.servers.install(input),
    onSuccess: (server) => {
      queries.setQueryData(oneServer(data, server.id).queryKey, server);
      return queries.invalidateQueries({ queryKey: allServers(data).queryKey });
    },
  });
};
