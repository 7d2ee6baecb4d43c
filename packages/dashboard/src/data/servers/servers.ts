import type { InstalledServer, ServerUpdate } from "@quartermaster/client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { api } from "../live/client.ts";
import { queryClient, showsFailure, useRefreshOn } from "../live/query.ts";
import { endVerify, startVerify } from "./preparation.ts";

export type { ImportResult, InstalledServer } from "@quartermaster/client";

const kinds = /^mcp\./;
const queryKey = ["servers"];
const keyOf = (serverId: string) => [...queryKey, serverId];

/** The result is in an event and in the server: the request does not wait for it. */
const inBackground = { headers: { prefer: "respond-async" } };

/** All installed servers, oldest first. Only Admins may read them. */
export const useServers = (enabled = true) => {
  useRefreshOn(kinds, queryKey);
  return useQuery({
    enabled,
    queryKey: [...queryKey, "all"],
    queryFn: ({ signal }) => api.servers.list({}, { signal }),
  });
};

/** One installed server, immediately if the list has it. */
export const useServer = (serverId: string) => {
  useRefreshOn(kinds, queryKey);
  return useQuery({
    queryKey: keyOf(serverId),
    queryFn: ({ signal }) => api.servers.get({ serverId }, { signal }),
    placeholderData: () =>
      queryClient
        .getQueryData<ReadonlyArray<InstalledServer>>([...queryKey, "all"])
        ?.find(({ id }) => id === serverId),
  });
};

const refresh = () => queryClient.invalidateQueries({ queryKey });

/** A command on a server. Its failure is reported by the shell. */
export const useServerCommand = () =>
  useMutation({
    mutationFn: async ({
      command,
      serverId,
    }: {
      readonly serverId: string;
      readonly command: "enable" | "disable" | "verify";
    }) => {
      const args = { serverId };
      if (command === "enable") await api.servers.enable(args, inBackground);
      else if (command === "disable") await api.servers.disable(args);
      else {
        startVerify(serverId);
        await api.servers.verify(args, inBackground).catch((error: unknown) => {
          endVerify(serverId);
          throw error;
        });
      }
    },
    onSettled: refresh,
  });

/** A change of values, name, limits or version. Its form shows the failure. */
export const useUpdateServer = () =>
  useMutation({
    meta: showsFailure,
    mutationFn: (change: { readonly serverId: string } & ServerUpdate) =>
      api.servers.update(change),
    onSuccess: (server) => queryClient.setQueryData(keyOf(server.id), server),
    onSettled: refresh,
  });

/** Its dialog shows the failure. */
export const useUninstall = () =>
  useMutation({
    meta: showsFailure,
    mutationFn: (serverId: string) => api.servers.uninstall({ serverId }),
    onSuccess: (_, serverId) => {
      queryClient.setQueryData<ReadonlyArray<InstalledServer>>([...queryKey, "all"], (servers) =>
        servers?.filter(({ id }) => id !== serverId),
      );
    },
  });

export type ImportInput = Parameters<typeof api.servers.import>[0];

/** Imports a configuration. Its dialog shows the failure. */
export const useImport = () =>
  useMutation({
    meta: showsFailure,
    mutationFn: (input: ImportInput) => api.servers.import(input),
    onSuccess: refresh,
  });
