import type { Event } from "@quartermaster/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Activity } from "./issues/stream.ts";
import { useData } from "./live/data.ts";

/** The kinds of changes that a person wants to know. A run changes the status where it starts and ends. */
const kinds = [
  "issue.created",
  "issue.statusChanged",
  "issue.commented",
  "issue.asked",
  "issue.answered",
  "issue.attached",
  "issue.paused",
  "issue.resumed",
  "issue.leaseExpired",
  "issue.deleted",
] as const satisfies ReadonlyArray<Event["kind"]>;

export interface FeedEvent extends Pick<Event, "id" | "issueKey" | "subjectId"> {
  readonly change: Activity;
  readonly isDeleted: boolean;
}

const toFeed = (event: Event): FeedEvent => ({
  id: event.id,
  issueKey: event.issueKey,
  subjectId: event.subjectId,
  isDeleted: event.kind === "issue.deleted",
  change: {
    ...event,
    issueId: event.subjectId,
    kind: event.kind.slice("issue.".length) as Activity["kind"],
  },
});

/** The 20 newest changes of issues. Events refresh it. */
export const useFeed = (projectId: string | undefined) => {
  const { api } = useData();
  return useQuery({
    queryKey: ["feed", projectId ?? null],
    staleTime: 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await api.events.recent({ projectId, kinds: kinds.join(","), limit: 20 }, { signal })).map(
        toFeed,
      ),
  });
};
