import type { Page } from "@quartermaster/client";
import {
  type InfiniteData,
  infiniteQueryOptions,
  MutationCache,
  type Query,
  QueryClient,
  type QueryFilters,
  type QueryKey,
} from "@tanstack/react-query";
import { Undone } from "./undo.ts";

/** The `meta` of a mutation whose dialog shows the failure, so that the shell does not. */
export const showsFailure = { showsFailure: true };

/** Makes the query cache. Events invalidate it, so age, focus and reconnects do not. */
export const makeQueries = (onFailedChange: (error: unknown) => void): QueryClient =>
  new QueryClient({
    mutationCache: new MutationCache({
      onError: (error, _input, _result, { meta }) => {
        if (meta !== showsFailure && !(error instanceof Undone)) onFailedChange(error);
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: Infinity,
        gcTime: 10 * 60_000,
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });

const readAgain = new WeakSet<Query>();

/**
 * Marks data as stale, and reads again what the page shows. TanStack Query does not repeat the first read of a query, whose
 * response may be from before the change, so it is read again after that.
 */
export const invalidate = (queries: QueryClient, filters: QueryFilters): Promise<void> => {
  for (const query of queries.getQueryCache().findAll({ ...filters, fetchStatus: "fetching" })) {
    const { promise, queryKey, state } = query;
    if (state.data !== undefined || promise === undefined || readAgain.has(query)) continue;
    readAgain.add(query);
    const next = () => {
      readAgain.delete(query);
      return queries.invalidateQueries({ queryKey, exact: true });
    };
    promise.then(next, () => readAgain.delete(query));
  }
  return queries.invalidateQueries(filters);
};

type Cursor = string | undefined;

/** The options of a list that is read page by page. */
export const pagesOf = <Item, Key extends QueryKey = QueryKey>(
  queryKey: Key,
  read: (cursor: Cursor, signal: AbortSignal) => Promise<Page<Item>>,
) =>
  infiniteQueryOptions<Page<Item>, Error, InfiniteData<Page<Item>, Cursor>, Key, Cursor>({
    queryKey,
    initialPageParam: undefined,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    getNextPageParam: ({ next }) => next ?? undefined,
  });

/** The items of all loaded pages. */
export const itemsOf = <Item>({
  pages,
}: {
  readonly pages: ReadonlyArray<Page<Item>>;
}): ReadonlyArray<Item> => pages.flatMap(({ items }) => items);

/**
 * Calls `run` at most once per interval: immediately, and once more at its end if there were calls in
 * between.
 */
export const throttled = (run: () => Promise<unknown>, millis: number): (() => void) => {
  let isBusy = false;
  let again = false;
  const call = () => {
    if (isBusy) {
      again = true;
      return;
    }
    isBusy = true;
    void run()
      .catch(() => {})
      .finally(() =>
        setTimeout(() => {
          isBusy = false;
          if (again) {
            again = false;
            call();
          }
        }, millis),
      );
  };
  return call;
};
