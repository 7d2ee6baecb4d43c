import { Effect } from "effect";
import type { Principal } from "../../access/Principal.ts";
import type * as Page from "../../Page.ts";
import * as TextMac from "../../secrets/TextMac.ts";
import { idOf, type InboxGroup, type InboxItem } from "../InboxItem.ts";
import { InboxStore } from "../InboxStore.ts";
import * as Order from "./Order.ts";
import type { Placed, Position } from "./Order.ts";

/** Groups of items that one action answers. */

/** The number of items in a group's `items`. */
const shownItems = 3;

/** The number of ids in a group's `ids`: as many as a bulk change takes. */
const listedIds = 200;

/** The number of characters of a group's line. */
const lineUnits = 200;

/** Ids, hashes and numbers, which differ between the messages of one cause. */
const variable =
  /\b[a-z]{2,5}_[0-9A-Z]{26}\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[A-Z][A-Z0-9]{1,9}-\d+\b|\b(?=[a-f]*\d)[0-9a-f]{7,}\b|\d+/g;

const firstLine = (text: string): string => text.trim().split(/\r?\n/, 1)[0]?.trim() ?? "";

interface Group {
  readonly kind: InboxItem["kind"];
  readonly line: string | null;
  /** The kind and the common line of its items, without ids and numbers. */
  readonly cause: string;
  readonly entries: [Placed, ...Array<Placed>];
}

/** Groups are listed in the order of their first items. */
export const keyset: Page.Keyset<Group, Position> = {
  ...Order.keyset,
  keyOf: ({ entries: [first] }) => first.position,
};

export const make = Effect.gen(function* () {
  const store = yield* InboxStore;
  const mac = yield* TextMac.make("groups of the inbox");

  /** Groups entries. Their order, and the order of the items of each, is the order of the inbox. */
  const group = Effect.fnUntraced(function* (entries: ReadonlyArray<Placed>) {
    const failed = entries.flatMap(({ entry: { item } }) =>
      item.issueId !== null && (item.kind === "failed" || item.kind === "tooManyAttempts")
        ? [item.issueId]
        : [],
    );
    const lines = new Map(
      (yield* store.handIns(failed))
        .map(([issueId, text]) => [issueId, firstLine(text)] as const)
        // A purged hand-in has no text, and says nothing of the cause.
        .filter(([, line]) => line !== ""),
    );
    const lineOf = ({ detail, issueId, kind }: InboxItem): string | null => {
      if (kind === "runnerHalted") return firstLine(detail);
      return kind === "failed" || kind === "tooManyAttempts"
        ? (lines.get(issueId ?? "") ?? null)
        : null;
    };
    const groups = new Map<string, Group>();
    for (const placed of entries) {
      const { item, key } = placed.entry;
      const line = lineOf(item);
      const cause = item.kind === "agentSilent" ? "" : (line?.replace(variable, "#") ?? key.id);
      const name = `${item.kind}\n${line === null ? "" : "line"}\n${cause}`;
      const found = groups.get(name);
      if (found === undefined)
        groups.set(name, { kind: item.kind, line, cause: name, entries: [placed] });
      else found.entries.push(placed);
    }
    return [...groups.values()];
  });

  /** A slice of the groups. */
  const sliceOf = (
    groups: ReadonlyArray<Group>,
    { after, limit, order }: Page.Slice<Position>,
  ): ReadonlyArray<Group> => {
    const sign = order === "asc" ? 1 : -1;
    const sorted = order === "asc" ? groups : groups.toReversed();
    return sorted
      .filter(
        (each) => after === null || Order.comparePositions(keyset.keyOf(each), after) * sign > 0,
      )
      .slice(0, limit);
  };

  const render = Effect.fnUntraced(function* (
    { id, type }: Principal,
    { cause, entries, kind, line }: Group,
  ) {
    const items = entries.map(({ entry }) => entry.item);
    const { priority, since } = entries[0].entry.item;
    const rendered: InboxGroup = {
      group: yield* mac.tag(`${type} ${id}\n${cause}`),
      kind,
      count: items.length,
      line: line === null ? null : line.slice(0, lineUnits),
      priority,
      since,
      ids: items.slice(0, listedIds).map(idOf),
      items: items.slice(0, shownItems),
    };
    return rendered;
  });

  return { group, render, sliceOf };
});
