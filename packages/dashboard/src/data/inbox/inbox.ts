import type { InboxItem } from "@quartermaster/client";
import { useQuery } from "@tanstack/react-query";
import { useData } from "../live/data.ts";
import { keyOf, useAnswers } from "./answers.ts";

export type { InboxItem } from "@quartermaster/client";
export type InboxKind = InboxItem["kind"];

/** Which items a list has. Both must match. */
export interface InboxFilter {
  readonly project?: ReadonlyArray<string> | undefined;
  readonly kind?: ReadonlyArray<InboxKind> | undefined;
}

/** What waits for a person: the 100 most urgent items that match. */
export const useInbox = ({ kind, project }: InboxFilter = {}) => {
  const { api } = useData();
  return useQuery({
    queryKey: ["inbox", [kind ?? [], project ?? []].join(" ")],
    queryFn: ({ signal }) =>
      api.inbox.list({ limit: 100, kind: kind?.join(","), projectId: project }, { signal }).page(),
  });
};

/** How many items wait. */
export const useInboxCount = (): number => {
  const answers = useAnswers();
  const items = useInbox().data?.items ?? [];
  return items.filter((item) => answers.get(keyOf(item))?.isSent !== true).length;
};
