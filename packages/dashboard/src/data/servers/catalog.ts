import type { ServerInstall } from "@quartermaster/client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { api } from "../live/client.ts";
import { queryClient, showsFailure, useRefreshOn } from "../live/query.ts";

export type { CatalogEntry, CatalogEntrySummary, EnvVar, HostReport } from "@quartermaster/client";

export const categories = ["database", "saas", "search", "cloud", "dev", "productivity"] as const;

export type Category = (typeof categories)[number];

const kinds = /^mcp\.catalogChanged$/;
const queryKey = ["catalog"];

/** Every entry of the catalog. */
export const useCatalog = () => {
  useRefreshOn(kinds, queryKey);
  return useQuery({
    queryKey: [...queryKey, "all"],
    queryFn: ({ signal }) => api.catalog.list({}, { signal }),
  });
};

/** One entry with its variables. */
export const useCatalogEntry = (entryId: string) => {
  useRefreshOn(kinds, queryKey);
  return useQuery({
    queryKey: [...queryKey, "entry", entryId],
    queryFn: ({ signal }) => api.catalog.get({ entryId }, { signal }),
  });
};

/** The runtimes and sandboxes of the host. The host is probed once per page load. */
export const useHost = () =>
  useQuery({
    queryKey: ["host"],
    queryFn: ({ signal }) => api.catalog.runtime({}, { signal }),
  });

/** Installs an entry. Its form shows the failure. */
export const useInstall = () =>
  useMutation({
    meta: showsFailure,
    mutationFn: (input: ServerInstall) => api.servers.install(input),
    onSuccess: (server) => {
      queryClient.setQueryData(["servers", server.id], server);
      return queryClient.invalidateQueries({ queryKey: ["servers", "all"] });
    },
  });
