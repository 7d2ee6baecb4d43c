import { type Answer, keyOf } from "../data/inbox/answers.ts";
import type { InboxFilter, InboxItem } from "../data/inbox/inbox.ts";
import { priorities } from "../data/issues/issues.ts";

const matches = ({ kind, project }: InboxFilter, item: InboxItem): boolean =>
  (kind === undefined || kind.includes(item.kind)) &&
  (project === undefined || project.includes(item.projectId ?? ""));

/** The server's order: by priority, then oldest first. */
const compare = (a: InboxItem, b: InboxItem): number =>
  priorities.indexOf(a.priority) - priorities.indexOf(b.priority) || (a.since < b.since ? -1 : 1);

/** An item of the list. `isOver` means that it is no longer in the inbox. */
export interface Listed {
  readonly item: InboxItem;
  readonly isOver: boolean;
}

/**
 * The items to show. Items with a sent answer are hidden. Items that left the inbox stay while they have an
 * unsent draft.
 */
export const listed = (
  items: ReadonlyArray<InboxItem>,
  answers: ReadonlyMap<string, Answer>,
  filter: InboxFilter,
): ReadonlyArray<Listed> => {
  const waiting = new Set(items.map(keyOf));
  const over = [...answers.values()].filter(
    ({ isSent, item, text }) =>
      !isSent && text.trim() !== "" && matches(filter, item) && !waiting.has(keyOf(item)),
  );
  const shown = items.filter((item) => answers.get(keyOf(item))?.isSent !== true);
  if (over.length === 0) return shown.map((item) => ({ item, isOver: false }));
  return [
    ...shown.map((item) => ({ item, isOver: false })),
    ...over.map(({ item }) => ({ item, isOver: true })),
  ].toSorted((a, b) => compare(a.item, b.item));
};
