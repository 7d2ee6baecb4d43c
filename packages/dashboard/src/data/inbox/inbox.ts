import type { InboxItem } from "@quartermaster/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { type Data, useData } from "../live/data.ts";
import { itemsOf, pagesOf } from "../live/query.ts";
import { useWithin } from "../scope.ts";
import { itemsKey, useAnswers } from "./answers.ts";
import { keyOf } from "./identity.ts";

export type { InboxItem } from "@quartermaster/client";
export type InboxKind = InboxItem["kind"];

/** The filter of the inbox. An item has to match all members. */
export interface InboxFilter {
  readonly project?: ReadonlyArray<string> | undefined;
  readonly kind?: ReadonlyArray<InboxKind> | undefined;
  /** Whether only the user's own items match. */
  readonly mine?: true | undefined;
}

/** The filter as the query of a request. */
export const requestOf = ({ kind, mine, project }: InboxFilter) => ({
  kind: kind?.join(","),
  projectId: project,
  mine,
});

const inboxPages = ({ api }: Data, filter: InboxFilter) =>
  pagesOf<InboxItem>([...itemsKey, requestOf(filter)], (cursor, signal) =>
    api.inbox.list({ ...requestOf(filter), limit: 100, cursor }, { signal }).page(),
  );

/** The matching items, the most urgent first, page by page. */
export const useInbox = (filter: InboxFilter = {}) =>
  useInfiniteQuery(inboxPages(useData(), filter));

/** The number of items in the inbox, as far as it is loaded: up to 100 until the user scrolls further. */
export const useInboxCount = (): number => {
  const answers = useAnswers();
  const { data } = useInbox({ project: useWithin(undefined) });
  const items = data === undefined ? [] : itemsOf(data);
  return items.filter((item) => answers.get(keyOf(item))?.isSent !== true).length;
};
