import type { InboxGroup, InboxItem } from "@quartermaster/client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useData } from "../live/data.ts";
import { showsFailure } from "../live/query.ts";
import { isFailure } from "./bulk.ts";
import { requestOf, type InboxFilter } from "./inbox.ts";

export type { InboxGroup } from "@quartermaster/client";

const none: ReadonlyArray<InboxGroup> = [];

/** Groups of two and more failures of one cause. */
export const useFailures = (
  filter: InboxFilter,
  items: ReadonlyArray<InboxItem>,
): ReadonlyArray<InboxGroup> => {
  const { api } = useData();
  const { data } = useQuery({
    queryKey: ["inbox", "groups", requestOf(filter)],
    enabled: items.filter(isFailure).length > 1,
    queryFn: ({ signal }) =>
      api.inbox.list({ ...requestOf(filter), view: "groups", limit: 100 }, { signal }).page(),
    select: ({ items: groups }) => groups.filter((group) => group.count > 1 && isFailure(group)),
  });
  return data ?? none;
};

/** Resumes issues. Fails with the number of the issues that were not resumed, and the first reason. */
export const useRetryAll = () => {
  const { api, queries } = useData();
  return useMutation({
    meta: showsFailure,
    mutationFn: async (issueIds: ReadonlyArray<string>) => {
      const outcomes = await api.issues.bulk({
        items: issueIds.map((issueId) => ({ issueId })),
        change: { action: "resume" },
      });
      await queries.invalidateQueries({ queryKey: ["inbox"] });
      const [first, ...others] = outcomes.flatMap(({ problem }) => problem ?? []);
      if (first === undefined) return;
      throw new Error(
        `${others.length + 1} of ${outcomes.length} were not retried. ${first.detail}`,
      );
    },
  });
};
