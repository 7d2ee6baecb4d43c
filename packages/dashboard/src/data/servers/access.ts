import type { AccessEntry, AccessUpdate, InstalledServer } from "@quartermaster/client";
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { type Data, useData, useStore } from "../live/data.ts";
import { showsFailure } from "../live/query.ts";
import { useEachServer } from "./eachServer.ts";

export type { AccessEntry } from "@quartermaster/client";

export type AccessChange = { readonly serverId: string } & AccessUpdate["entries"][number];

const accessOf = ({ api }: Data, serverId: string) =>
  queryOptions({
    queryKey: ["access", serverId],
    queryFn: async ({ signal }) =>
      (await api.servers.access({ serverId }, { signal }).page()).items,
  });

/** The access entries of one server, one for each agent. */
export const useAccess = (serverId: string) => useQuery(accessOf(useData(), serverId));

/** The access entries of each server, in the order of `servers`. */
export const useAccessOf = (servers: ReadonlyArray<InstalledServer>) =>
  useEachServer(servers, accessOf);

const revoked = {
  granted: false,
  tools: null,
  readOnly: false,
  callsPerMinute: null,
  maxConcurrentCalls: null,
  tokens: 0,
};

const expected = (known: AccessEntry, change: Omit<AccessChange, "serverId">): AccessEntry => {
  const { agentId, granted, ...rest } = change;
  if (!granted) return { ...revoked, agentId };
  const set = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return { ...known, ...set, granted };
};

/** The access entries in the cache. Changes are visible before the server responds. */
const accessStore = (data: Data) => {
  const { api, queries } = data;
  /**
   * The newest change of each entry. A change waits for the earlier ones; only its response updates the
   * cache.
   */
  const newest = new Map<string, { readonly sent: Promise<unknown> }>();
  /** Entries revoked on this page. Granting again restores their tools and limits. */
  const lastGrants = new Map<string, AccessEntry>();

  const put = (serverId: string, entry: AccessEntry) =>
    queries.setQueryData(accessOf(data, serverId).queryKey, (entries) => {
      if (entries === undefined) return entries;
      const at = entries.findIndex(({ agentId }) => agentId === entry.agentId);
      if (at !== -1) return entries.with(at, entry);
      return [...entries, entry].toSorted((a, b) => (a.agentId < b.agentId ? -1 : 1));
    });
  const find = (serverId: string, agentId: string): AccessEntry =>
    queries
      .getQueryData(accessOf(data, serverId).queryKey)
      ?.find((entry) => entry.agentId === agentId) ?? { ...revoked, agentId };

  const save = async ({ serverId, ...change }: AccessChange): Promise<void> => {
    const { agentId, granted } = change;
    const { queryKey } = accessOf(data, serverId);
    const id = `${serverId} ${agentId}`;
    const known = find(serverId, agentId);
    if (granted) lastGrants.delete(id);
    else if (known.granted) lastGrants.set(id, known);
    const earlier = newest.get(id)?.sent;
    const { promise: sent, resolve } = Promise.withResolvers<void>();
    const turn = { sent };
    newest.set(id, turn);
    put(serverId, expected(known, change));
    try {
      await earlier;
      await queries.cancelQueries({ queryKey });
      const entries = await api.servers.putAccess({ serverId, entries: [change] });
      const entry = entries.find((one) => one.agentId === agentId);
      if (newest.get(id) === turn && entry !== undefined) put(serverId, entry);
    } catch (error) {
      if (newest.get(id) === turn) put(serverId, known);
      void queries.invalidateQueries({ queryKey });
      throw error;
    } finally {
      resolve();
      if (newest.get(id) === turn) newest.delete(id);
    }
  };

  return {
    save,
    toggle: (serverId: string, agentId: string, granted: boolean): Promise<void> => {
      const last = lastGrants.get(`${serverId} ${agentId}`);
      if (!granted || last === undefined) return save({ serverId, agentId, granted });
      const { tokens: _, ...grant } = last;
      return save({ serverId, ...grant });
    },
  };
};

/**
 * Grants or revokes access. The page shows the change before the server responds; the shell reports
 * a failure.
 */
export const useToggleAccess = () => {
  const { toggle } = useStore(accessStore);
  return useMutation({
    mutationFn: ({
      agentId,
      granted,
      serverId,
    }: {
      readonly serverId: string;
      readonly agentId: string;
      readonly granted: boolean;
    }) => toggle(serverId, agentId, granted),
  });
};

/**
 * Saves an access form. The page shows the change before the server responds; the form shows a
 * failure.
 */
export const useSaveAccess = () => {
  const { save } = useStore(accessStore);
  return useMutation({ meta: showsFailure, mutationFn: save });
};

/** The server's limit of entries per request. */
const grantsPerRequest = 10_000;

/** Grants a server to these agents. The calling dialog shows a failure. */
export const useGrantAll = () => {
  const data = useData();
  return useMutation({
    meta: showsFailure,
    mutationFn: async ({
      agentIds,
      serverId,
    }: {
      readonly serverId: string;
      readonly agentIds: ReadonlyArray<string>;
    }) => {
      for (let at = 0; at < agentIds.length; at += grantsPerRequest) {
        const entries = agentIds
          .slice(at, at + grantsPerRequest)
          .map((agentId) => ({ agentId, granted: true }));
        await data.api.servers.putAccess({ serverId, entries });
      }
    },
    onSettled: (_, _error, { serverId }) =>
      data.queries.invalidateQueries({ queryKey: accessOf(data, serverId).queryKey }),
  });
};
