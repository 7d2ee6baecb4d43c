import type { Answer } from "../data/inbox/answers.ts";
import type { InboxGroup } from "../data/inbox/groups.ts";
import { keyOf } from "../data/inbox/identity.ts";
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
  readonly id: string;
  readonly item: InboxItem;
  readonly isOver: boolean;
  /** Whether the last answer was refused. */
  readonly isRefused: boolean;
  /** Whether an answer is not sent: the user writes it, took it back, or the server refused it. */
  readonly isUnsent: boolean;
}

/** A row of the list: an item, or the head of failures of one cause. */
export type ListRow = Listed | { readonly id: string; readonly group: InboxGroup };

/**
 * The items to show. Items with a sent answer are hidden. Items that left the inbox stay while they have an
 * unsent draft.
 */
export const listed = (
  items: ReadonlyArray<InboxItem>,
  answers: ReadonlyMap<string, Answer>,
  filter: InboxFilter,
): ReadonlyArray<Listed> => {
  const shown: Array<Listed> = [];
  const waiting = new Set<string>();
  for (const item of items) {
    const id = keyOf(item);
    // A page that was read later may repeat an item of an earlier one.
    if (waiting.has(id)) continue;
    waiting.add(id);
    const answer = answers.get(id);
    if (answer?.isSent === true) continue;
    const isUnsent = answer !== undefined;
    shown.push({ id, item, isOver: false, isRefused: isUnsent && answer.error !== null, isUnsent });
  }
  const over = [...answers].flatMap(([id, { error, isSent, item, text }]) =>
    !isSent && text.trim() !== "" && matches(filter, item) && !waiting.has(id)
      ? { id, item, isOver: true, isRefused: error !== null, isUnsent: true }
      : [],
  );
  return over.length === 0
    ? shown
    : [...shown, ...over].toSorted((a, b) => compare(a.item, b.item));
};

/** The groups by the ids of their items. */
export const groupsById = (groups: ReadonlyArray<InboxGroup>): ReadonlyMap<string, InboxGroup> =>
  new Map(
    groups.flatMap((group) => group.ids.map((id) => [`${group.kind} ${id}`, group] as const)),
  );

/** The rows of the list: each group's head is above the first of its items. */
export const rowsOf = (
  items: ReadonlyArray<Listed>,
  groups: ReadonlyMap<string, InboxGroup>,
): ReadonlyArray<ListRow> => {
  if (groups.size === 0) return items;
  const seen = new Set<InboxGroup>();
  return items.flatMap((one): ReadonlyArray<ListRow> => {
    const group = groups.get(one.id);
    if (group === undefined || seen.has(group)) return [one];
    seen.add(group);
    return [{ id: `group ${group.group}`, group }, one];
  });
};
