import { Effect } from "effect";
import type { StorageError } from "../../CommonErrors.ts";
import { IssuePriority } from "../../issues/Issue.ts";
import type * as Page from "../../Page.ts";
import { type InboxKey, type InboxQuery, InboxStore } from "../InboxStore.ts";
import { compare } from "./Entries.ts";
import type { Entry } from "./Items.ts";

/**
 * The order of lists: the head is the first 500 entries, in which issues that block most come first within a
 * priority; the tail has the others in the order of the storage. A cursor names the end of the head, so that an entry
 * does not move from one to the other between two pages.
 */

const headEntries = 500;

/** The largest number of open issues that is counted for an item. */
const mostBlocked = 100;

/** The largest number of issues that are visited to count for all items of a head. */
const mostVisited = 10_000;

export interface Position {
  readonly key: InboxKey;
  /** The entry's number of blocked issues; null in the tail. */
  readonly blocks: number | null;
  /** The last key of the head; null if all entries are in it. */
  readonly end: InboxKey | null;
}

export interface Placed {
  readonly entry: Entry;
  readonly position: Position;
}

const priorities = IssuePriority.literals;

const keyToText = ({ id, priority, since }: InboxKey) =>
  `${priorities.indexOf(priority)} ${since} ${id}`;

const keyFromText = (text: string): InboxKey | null => {
  const [rank, since = "", id = ""] = text.split(" ");
  const priority = priorities[Number(rank)];
  return id === "" || priority === undefined ? null : { priority, since, id };
};

export const keyset: Page.Keyset<Placed, Position> = {
  keyOf: ({ position }) => position,
  toText: ({ blocks, end, key }) =>
    [keyToText(key), blocks ?? "", end === null ? "" : keyToText(end)].join("|"),
  fromText: (text) => {
    const [key = "", blocks = "", end = ""] = text.split("|");
    const at = keyFromText(key);
    return at === null
      ? undefined
      : { key: at, blocks: blocks === "" ? null : Number(blocks), end: keyFromText(end) };
  },
};

/** The order of lists. */
export const comparePositions = (a: Position, b: Position): number =>
  Number(a.blocks === null) - Number(b.blocks === null) ||
  priorities.indexOf(a.key.priority) - priorities.indexOf(b.key.priority) ||
  (b.blocks ?? 0) - (a.blocks ?? 0) ||
  compare(a.key, b.key);

type Read = (slice: Page.Slice<InboxKey>) => Effect.Effect<ReadonlyArray<Entry>, StorageError>;

export const make = Effect.gen(function* () {
  const store = yield* InboxStore;

  /** Returns how many open issues wait for an issue, directly and through others. */
  const counting = Effect.fnUntraced(function* (
    issueIds: Iterable<string>,
    projects: InboxQuery["projects"],
  ) {
    const waiting = new Map<string, Array<string>>();
    let level = [...new Set(issueIds)];
    for (let depth = 0; depth < mostBlocked && level.length > 0; depth++) {
      for (const id of level) waiting.set(id, []);
      for (const [id, dependent] of yield* store.waiting(level, projects)) {
        waiting.get(id)?.push(dependent);
      }
      if (waiting.size > mostVisited) break;
      const found = level.flatMap((id) => waiting.get(id) ?? []);
      level = [...new Set(found)].filter((id) => !waiting.has(id));
    }
    return (issueId: string): number => {
      const seen = new Set([issueId]);
      for (const id of seen) {
        for (const dependent of waiting.get(id) ?? []) {
          if (seen.size > mostBlocked) return mostBlocked;
          seen.add(dependent);
        }
      }
      return seen.size - 1;
    };
  });

  /** The entries up to the end of a head, of which one read is most often all. Null: all entries. */
  const readTo = Effect.fnUntraced(function* (read: Read, end: InboxKey | null) {
    const entries: Array<Entry> = [];
    const limit = headEntries + 1;
    while (entries.length < mostVisited) {
      const after = entries.at(-1)?.key ?? null;
      const found = yield* read({ limit, order: "asc", after });
      entries.push(...found);
      const last = found.at(-1);
      if (last === undefined || found.length < limit) break;
      if (end !== null && compare(last.key, end) >= 0) break;
    }
    return entries;
  });

  /** The head in its order. After the first page it ends where it ended there. */
  const headOf = Effect.fnUntraced(function* (
    read: Read,
    projects: InboxQuery["projects"],
    after: Position | null,
  ) {
    const first = { limit: headEntries + 1, order: "asc", after: null } as const;
    const found = yield* after === null ? read(first) : readTo(read, after.end);
    const last = found.length > headEntries ? found[headEntries - 1] : undefined;
    const end = after === null ? (last?.key ?? null) : after.end;
    const entries = found.filter(({ key }) => end === null || compare(key, end) <= 0);
    const count = yield* counting(
      entries.flatMap(({ item }) => item.issueId ?? []),
      projects,
    );
    const placed = entries.map(({ item, key }): Placed => {
      const blocks = item.issueId === null ? null : count(item.issueId);
      return {
        entry: { key, item: { ...item, blocks } },
        position: { key, blocks: blocks ?? 0, end },
      };
    });
    return { end, placed: placed.toSorted((a, b) => comparePositions(a.position, b.position)) };
  });

  /** A slice of the list. `read` returns slices in the order of the storage. */
  const slice = Effect.fnUntraced(function* (
    read: Read,
    projects: InboxQuery["projects"],
    { after, limit, order }: Page.Slice<Position>,
  ) {
    const tail = Effect.fnUntraced(function* (
      from: InboxKey | null,
      end: InboxKey | null,
      count: number,
    ) {
      if (end === null || count <= 0) return [];
      const found = yield* read({ limit: count, order, after: from });
      return found
        .filter(({ key }) => compare(key, end) > 0)
        .map((entry): Placed => ({ entry, position: { key: entry.key, blocks: null, end } }));
    });
    const isInTail = after !== null && after.blocks === null;
    if (isInTail && order === "asc") return yield* tail(after.key, after.end, limit);
    const { end, placed } = yield* headOf(read, projects, after);
    const sign = order === "asc" ? 1 : -1;
    const head = (order === "asc" ? placed : placed.toReversed()).filter(
      ({ position }) => after === null || isInTail || comparePositions(position, after) * sign > 0,
    );
    if (order === "asc")
      return [...head, ...(yield* tail(end, end, limit - head.length))].slice(0, limit);
    const first = after === null || isInTail ? yield* tail(after?.key ?? null, end, limit) : [];
    return [...first, ...head].slice(0, limit);
  });

  return { slice };
});
