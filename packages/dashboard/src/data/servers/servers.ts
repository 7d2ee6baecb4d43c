import type { Client, ServerUpdate } from "@quartermaster/client";
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { type Data, useData, useStore } from "../live/data.ts";
import { showsFailure } from "../live/query.ts";
import { preparationStore } from "./preparation.ts";

export type { ImportResult, InstalledServer } from "@quartermaster/client";

/** Makes the server respond before it has finished. The result arrives as an event. */
const inBackground = { headers: { prefer: "respond-async" } };

const queryKey = ["servers"] as const;

export const allServers = ({ api }: Data) =>
  queryOptions({
    queryKey: [...queryKey, "all"],
    queryFn: ({ signal }) => api.servers.list({}, { signal }),
  });

export const oneServer = ({ api }: Data, serverId: string) =>
  queryOptions({
    queryKey: [...queryKey, "one", serverId],
    queryFn: ({ signal }) => api.servers.get({ serverId }, { signal }),
  });

/** All installed servers, oldest first. Requires the Admin role. */
export const useServers = (enabled = true) => useQuery({ ...allServers(useData()), enabled });

/** One installed server. Shows the row of the list until the request returns. */
export const useServer = (serverId: string) => {
  const data = useData();
  return useQuery({
    ...oneServer(data, serverId),
    placeholderData: () =>
      data.queries.getQueryData(allServers(data).queryKey)?.find(({ id }) => id === serverId),
  });
};

/** Runs a command on a server. The shell reports a failure. */
export const useServerCommand = () => {
  const { api, queries } = useData();
  const preparations = useStore(preparationStore);
  return useMutation({
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
        preparations.startVerify(serverId);
        await api.servers.verify(args, inBackground).catch((error: unknown) => {
          preparations.endVerify(serverId);
          throw error;
        });
      }
    },
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
};

/** Changes the values, name, limits or version of a server. The form shows a failure. */
export const useUpdateServer = () => {
  const data = useData();
  return useMutation({
    meta: showsFailure,
    mutationFn: (change: { readonly serverId: string } & ServerUpdate) =>
      data.api.servers.update(change),
    onSuccess: (server) => data.queries.setQueryData(oneServer(data, server.id).queryKey, server),
    onSettled: () => data.queries.invalidateQueries({ queryKey }),
  });
};

/** Uninstalls a server. The dialog shows a failure. */
export const useUninstall = () => {
  const data = useData();
  return useMutation({
    meta: showsFailure,
    mutationFn: (serverId: string) => data.api.servers.uninstall({ serverId }),
    onSuccess: (_, serverId) => {
      data.queries.setQueryData(allServers(data).queryKey, (servers) =>
        servers?.filter(({ id }) => id !== serverId),
      );
    },
  });
};

export type ImportInput = Parameters<Client["servers"]["import"]>[0];

/** Imports a configuration. The dialog shows a failure. */
export const useImport = () => {
  const { api, queries } = useData();
  return useMutation({
    meta: showsFailure,
    mutationFn: (input: ImportInput) => api.servers.import(input),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  });
};
