import type { Client, FetchInit } from "@quartermaster/client";
import type { QueryClient } from "@tanstack/react-query";
import { createContext, use } from "react";
import { useWatched } from "../../parts/watched.ts";
import type { Connection, EventStream } from "./live.ts";

/**
 * The data that the hooks read and change. `app/` creates it once and passes it on; a test may have
 * several.
 */
export interface Data {
  readonly api: Client;
  /** A client whose requests another function sends. */
  readonly clientOver: (send: (url: string, init: FetchInit) => Promise<Response>) => Client;
  readonly stream: EventStream;
  readonly queries: QueryClient;
  /** The store that `make` creates, once for these data. */
  readonly store: <A>(make: (data: Data) => A) => A;
}

export const makeData = (parts: Omit<Data, "store">): Data => {
  const stores = new Map<unknown, unknown>();
  const data: Data = {
    ...parts,
    store: <A>(make: (data: Data) => A): A => {
      if (!stores.has(make)) stores.set(make, make(data));
      // Only what `make` returned is stored under it.
      return stores.get(make) as A;
    },
  };
  return data;
};

export const DataContext = createContext<Data | null>(null);

export const useData = (): Data => {
  const data = use(DataContext);
  if (data === null) throw new Error("No data here: render inside of DataContext.");
  return data;
};

export const useStore = <A>(make: (data: Data) => A): A => useData().store(make);

export const useConnection = (): Connection => useWatched(useData().stream.connection);
