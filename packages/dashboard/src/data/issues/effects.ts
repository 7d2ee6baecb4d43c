import { useMutation, useQuery } from "@tanstack/react-query";
import { useData } from "../live/data.ts";
import { showsFailure } from "../live/query.ts";
import { useRefreshIssue } from "./issue.ts";
import { fresh, issueKey } from "./issueStore.ts";

export type { IssueEffect } from "@quartermaster/client";

/** The calls of an issue that happen once. */

/** The polling interval in milliseconds: only a settlement emits an event. */
const beat = 15_000;

/** The issue's newest effects. `watch`: a run may add some. */
export const useEffects = (issueId: string, watch: boolean) => {
  const { api } = useData();
  return useQuery({
    queryKey: [...issueKey(issueId), "effects"],
    ...fresh,
    queryFn: ({ signal }) => api.effects.list({ issueId }, { signal }),
    refetchInterval: ({ state: { data } }) =>
      watch || data?.some(({ state }) => state === "sent") === true ? beat : false,
  });
};

/** Says whether an effect took place. The form shows a refusal. */
export const useSettle = (issueId: string) => {
  const { api, queries } = useData();
  const refresh = useRefreshIssue(issueId);
  return useMutation({
    meta: showsFailure,
    mutationFn: (settlement: {
      readonly callId: string;
      readonly happened: boolean;
      readonly note: string;
    }) => api.effects.settle({ issueId, ...settlement }),
    onSettled: () => Promise.all([refresh(), queries.invalidateQueries({ queryKey: ["inbox"] })]),
  });
};
