import type { InboxItem } from "@quartermaster/client";
import { useQuery } from "@tanstack/react-query";
import { useData } from "../live/data.ts";
import { keyOf, useAnswers } from "./answers.ts";

export type { InboxItem } from "@quartermaster/client";
export type InboxKind = InboxItem["kind"];

/** The filter of the inbox. An item has to match both members. */
export interface InboxFilter {
  readonly project?: ReadonlyArray<string> | undefined;
  readonly kind?: ReadonlyArray<InboxKind> | undefined;
}

/** The 100 most urgent matching items. */
export const useInbox = ({ kind, project }: InboxFilter = {}) => {
  const { api } = useData();
  return useQuery({
    queryKey: ["inbox", [kind ?? [], project ?? []].join(" ")],
    queryFn: ({ signal }) =>
      api.inbox.list({ limit: 100, kind: kind?.join(","), projectId: project }, { signal }).page(),
  });
};

/** The number of items in the inbox. */
export const useInboxCount = (): number => {
  const answers = useAnswers();
  const items = useInbox().data?.items ?? [];
  return items.filter((item) => answers.get(keyOf(item))?.isSent !== true).length;
};
