import type { InstalledServer } from "@quartermaster/client";
import {
  type DefaultError,
  type QueryKey,
  useQueries,
  type UseQueryOptions,
} from "@tanstack/react-query";
import { useCallback } from "react";
import { type Data, useData } from "../live/data.ts";

/** The data of one server; null until it is loaded. */
export interface OfServer<T> {
  readonly server: InstalledServer;
  readonly data: T | null;
  readonly error: Error | null;
}

/** Reads the same query of each server. The results are in the order of `servers`. */
export const useEachServer = <T, Key extends QueryKey>(
  servers: ReadonlyArray<InstalledServer>,
  queryOf: (data: Data, serverId: string) => UseQueryOptions<T, DefaultError, T, Key>,
): ReadonlyArray<OfServer<T>> => {
  const data = useData();
  return useQueries({
    queries: servers.map(({ id }) => queryOf(data, id)),
    combine: useCallback(
      (results: ReadonlyArray<{ readonly data?: T | undefined; readonly error: Error | null }>) =>
        servers.map((server, index) => ({
          server,
          data: results[index]?.data ?? null,
          error: results[index]?.error ?? null,
        })),
      [servers],
    ),
  });
};
