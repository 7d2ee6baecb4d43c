import type { InboxItem } from "@quartermaster/client";
import { useQuery } from "@tanstack/react-query";
import { api } from "../live/client.ts";
import { useRefreshOn } from "../live/query.ts";
import { keyOf, useAnswers } from "./answers.ts";

export type { InboxItem } from "@quartermaster/client";
export type InboxKind = InboxItem["kind"];

/** Which items a list has. Both must match. */
export interface InboxFilter {
  readonly project?: ReadonlyArray<string> | undefined;
  readonly kind?: ReadonlyArray<InboxKind> | undefined;
}

const kinds = /^(issue|agent|mcp)\./;

/** What waits for a person: the 100 most urgent items that match. The navigation refreshes it. */
export const useInbox = ({ kind, project }: InboxFilter = {}) =>
  useQuery({
    queryKey: ["inbox", [kind ?? [], project ?? []].join(" ")],
    queryFn: ({ signal }) =>
      api.inbox.list({ limit: 100, kind: kind?.join(","), projectId: project }, { signal }).page(),
  });

/** How many items wait. Keeps every list of the inbox up to date. */
export const useInboxCount = (): number => {
  useRefreshOn(kinds, ["inbox"]);
  const answers = useAnswers();
  const items = useInbox().data?.items ?? [];
  return items.filter((item) => answers.get(keyOf(item))?.isSent !== true).length;
};
