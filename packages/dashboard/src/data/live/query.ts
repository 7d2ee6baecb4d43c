import { MutationCache, QueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { onEvents, onGap } from "./live.ts";

let report: (error: unknown) => void = () => {};

/** Sets what shows the failure of a change. */
export const onFailedChange = (show: (error: unknown) => void): void => {
  report = show;
};

/** `meta` of a change whose dialog shows the failure itself. */
export const showsFailure = { showsFailure: true };

/** Events change what was read, so nothing is read again by age, focus or connection. */
export const queryClient = new QueryClient({
  mutationCache: new MutationCache({
    onError: (error, _input, _result, { meta }) => {
      if (meta !== showsFailure) report(error);
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

onGap(() => void queryClient.invalidateQueries());

/** Calls at most once per interval, at the start and at the end of it. */
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

/**
 * Reads a query again when events of these kinds arrive, at most once a second and only while a component
 * shows it. For answers that the server computes, such as the inbox; rows are patched instead. Given subjects,
 * only their events count.
 */
export const useRefreshOn = (
  kinds: RegExp,
  queryKey: ReadonlyArray<unknown>,
  subjects?: ReadonlyArray<string>,
): void => {
  const key = JSON.stringify(queryKey);
  const among = subjects?.join(" ");
  useEffect(() => {
    const refresh = throttled(
      () => queryClient.invalidateQueries({ queryKey: JSON.parse(key) }),
      1_000,
    );
    return onEvents((events) => {
      const ids = among?.split(" ");
      if (
        events.some(({ kind, subjectId }) => kinds.test(kind) && ids?.includes(subjectId) !== false)
      ) {
        refresh();
      }
    });
  }, [kinds, key, among]);
};
