import type { Client, FetchInit, SavedIssue } from "@quartermaster/client";
import type { QueryClient } from "@tanstack/react-query";
import { createContext, use } from "react";
import { makeStores } from "../../parts/shared.ts";
import { useWatched } from "../../parts/watched.ts";
import type { Account } from "./account.ts";
import type { Connection, EventStream } from "./live.ts";
import type { SessionStore } from "./sessionStore.ts";

/**
 * The data behind the hooks. `app/` creates one instance and provides it by context; a test may create
 * several.
 */
export interface Data {
  /** The URL of the server, ending with a slash. */
  readonly base: string;
  readonly session: SessionStore;
  readonly account: Account;
  readonly api: Client;
  /** A client that sends its requests with `send`. */
  readonly clientOver: (send: (url: string, init: FetchInit) => Promise<Response>) => Client;
  /** Marks that the page closes: requests that start from then on outlive it. */
  readonly setLeaving: (is: boolean) => void;
  readonly stream: EventStream;
  readonly queries: QueryClient;
  /** Shows the warnings about an issue that was saved. */
  readonly warn: (saved: Pick<SavedIssue, "warnings">) => void;
  /** The store created by `make`, once per instance. */
  readonly store: <A>(make: (data: Data) => A) => A;
}

export const makeData = (parts: Omit<Data, "store">): Data => {
  const data: Data = { ...parts, store: (make) => stores(make) };
  const stores = makeStores(data);
  return data;
};

export const DataContext = createContext<Data | null>(null);

export const useData = (): Data => {
  const data = use(DataContext);
  if (data === null) throw new Error("No data here: render inside DataContext.");
  return data;
};

export const useStore = <A>(make: (data: Data) => A): A => useData().store(make);

export const useConnection = (): Connection => useWatched(useData().stream.connection);
