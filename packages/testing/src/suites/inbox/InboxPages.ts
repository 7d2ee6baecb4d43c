import { assert } from "@effect/vitest";
import { Inbox, type InboxStore, Issue, type Page } from "@quartermaster/core";
import { Effect } from "effect";
import * as Fixtures from "../../Fixtures.ts";

/** Helpers of the inbox tests. */

export const now = Fixtures.at(1_000);

export const all: Page.Slice<InboxStore.InboxKey> = { limit: 500, order: "asc", after: null };

/** Keys in inbox order, with every priority, and with duplicate times and priorities. */
export const keys: ReadonlyArray<Pick<InboxStore.InboxKey, "priority" | "since">> =
  Issue.IssuePriority.literals.flatMap((priority) =>
    [3, 1, 2, 1].map((second) => ({ priority, since: Fixtures.at(second) })),
  );

/** Checks that the list has exactly these keys, in both orders, including small pages. */
export const check = Effect.fnUntraced(function* <Row, E, R>(
  list: (slice: Page.Slice<InboxStore.InboxKey>) => Effect.Effect<ReadonlyArray<Row>, E, R>,
  keyOf: (row: Row) => InboxStore.InboxKey,
  stored: ReadonlyArray<InboxStore.InboxKey>,
) {
  for (const order of ["asc", "desc"] as const) {
    const expected = stored.toSorted(Inbox.compare);
    if (order === "desc") expected.reverse();
    assert.deepStrictEqual((yield* list({ ...all, order })).map(keyOf), expected);
    const paged: Array<InboxStore.InboxKey> = [];
    for (;;) {
      const page = (yield* list({ limit: 5, order, after: paged.at(-1) ?? null })).map(keyOf);
      assert.isAtMost(page.length, 5);
      if (page.length === 0) break;
      paged.push(...page);
    }
    assert.deepStrictEqual(paged, expected);
  }
});
