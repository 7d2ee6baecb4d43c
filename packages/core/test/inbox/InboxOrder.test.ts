import { assert, describe, it } from "@effect/vitest";
import { Inbox, InboxStore, Issues } from "@quartermaster/core";
import { Callers, Fixtures, TestCore } from "@quartermaster/testing";
import { Effect } from "effect";
import { TestClock } from "effect/testing";
import * as TestStorage from "../support/Storage.ts";
import { alice, check, create, link, put } from "../support/World.ts";

type Request = Parameters<(typeof Inbox.Inbox)["Service"]["list"]>[0];

const page = (request: Request = {}) => Inbox.Inbox.use((inbox) => inbox.list(request));

/** All items of a list by pages of this length. */
const paged = Effect.fnUntraced(function* (limit: number, order: "asc" | "desc" = "asc") {
  const items = [];
  let cursor: string | undefined;
  do {
    const found = yield* page({ kind: ["review"], limit, order, cursor });
    items.push(...found.items);
    cursor = found.next ?? undefined;
  } while (cursor !== undefined);
  return items;
});

const titles = (items: ReadonlyArray<{ readonly title: string }>) =>
  items.map(({ title }) => title);

/** Creates issues in review, a second apart, which the caller waits for in the order of the list. */
const reviews = Effect.fnUntraced(function* (names: ReadonlyArray<string>, projectId?: string) {
  const ids: Array<string> = [];
  for (const title of names) {
    const { id } = yield* create({ title }, projectId);
    yield* put(id, { status: "PendingReview" });
    ids.push(id);
    yield* TestClock.adjust("1 seconds");
  }
  return ids;
});

/** Creates a chain of issues that wait for each other, the first one for `blocker`. */
const chain = Effect.fnUntraced(function* (blocker: string, length: number, projectId?: string) {
  const ids: Array<string> = [];
  for (let n = 0; n < length; n++) {
    const { id } = yield* create({ blockedByIssueId: ids.at(-1) ?? blocker }, projectId);
    ids.push(id);
  }
  return ids;
});

describe("Inbox", () => {
  check(
    "[inbox.blocks] what blocks most comes first within a priority, directly or through others",
    Effect.gen(function* () {
      const [, b = "", c = ""] = yield* reviews(["a", "b", "c", "d"]);
      const urgent = yield* create({ title: "urgent", priority: "urgent" });
      yield* put(urgent.id, { status: "PendingReview" });
      const [, last = ""] = yield* chain(b, 2);
      yield* chain(c, 1);
      // Waits for b in two ways, and counts once.
      const [both = ""] = yield* chain(b, 1);
      yield* link(both, "BlockedBy", last);
      const { items } = yield* page({ kind: ["review"] });
      assert.deepStrictEqual(
        items.map(({ blocks, title }) => [title, blocks]),
        [
          ["urgent", 0],
          ["b", 3],
          ["c", 1],
          ["a", 0],
          ["d", 0],
        ],
      );
      for (const limit of [1, 2, 3]) {
        assert.deepStrictEqual(yield* paged(limit), items);
        assert.deepStrictEqual(yield* paged(limit, "desc"), items.toReversed());
      }
    }),
  );

  check(
    "[inbox.blocks] only open issues count that the caller may see",
    Effect.gen(function* () {
      const [a = ""] = yield* reviews(["a"]);
      const [, , third = ""] = yield* chain(a, 3);
      yield* chain(a, 1, "other");
      const asGuest = Callers.as({ ...Callers.user("guest"), projects: ["project"] });
      const blocks = Effect.map(page({ kind: ["review"] }), ({ items }) => items[0]?.blocks);
      assert.deepStrictEqual([yield* blocks, yield* asGuest(blocks)], [4, 3]);
      yield* put(third, { status: "Resolved" });
      assert.deepStrictEqual([yield* blocks, yield* asGuest(blocks)], [3, 2]);
      yield* chain(third, 1);
      assert.strictEqual(yield* blocks, 3);
    }),
  );

  check(
    "[inbox.blocks] the count stops at 100",
    Effect.gen(function* () {
      const [a = "", b = ""] = yield* reviews(["a", "b"]);
      yield* Issues.Issues.use((issues) =>
        issues.plan("project", {
          issues: Array.from({ length: 101 }, (_, n) => ({
            ref: `r${n}`,
            title: "Waits",
            blockedBy: n % 2 === 0 ? [a] : [`r${n - 1}`],
          })),
        }),
      );
      yield* chain(b, 2);
      const { items } = yield* page({ kind: ["review"] });
      assert.deepStrictEqual(
        items.map(({ blocks }) => blocks),
        [100, 2],
      );
    }),
  );

  check(
    "[inbox.blocks] beyond the first 500 items the order is by time",
    Effect.gen(function* () {
      const { length } = yield* Issues.Issues.use((issues) =>
        issues.plan("project", {
          issues: Array.from({ length: 498 }, (_, n) => ({ ref: `r${n}`, title: `n${n}` })),
        }),
      );
      const { items: made } = yield* Issues.Issues.use((issues) =>
        issues.list("project", { limit: 500, order: "asc" }),
      );
      for (const { id } of made) yield* put(id, { status: "PendingReview" });
      yield* TestClock.adjust("1 seconds");
      const [, second = "", , fourth = ""] = yield* reviews(["a", "b", "c", "d"]);
      yield* chain(second, 1);
      yield* chain(fourth, 2);
      assert.strictEqual(length, 498);
      const all = yield* paged(500);
      assert.deepStrictEqual(
        [all[0], all[499], ...all.slice(500)].map((item) => [item?.title, item?.blocks]),
        [
          ["b", 1],
          ["a", 0],
          ["c", null],
          ["d", null],
        ],
      );
      for (const limit of [7, 499, 500]) {
        assert.deepStrictEqual(titles(yield* paged(limit)), titles(all));
        assert.deepStrictEqual(titles(yield* paged(limit, "desc")), titles(all.toReversed()));
      }
    }),
  );

  check(
    "[inbox.stable] an item that leaves the first 500 between two pages is listed once",
    Effect.gen(function* () {
      yield* Issues.Issues.use((issues) =>
        issues.plan("project", {
          issues: Array.from({ length: 499 }, (_, n) => ({ ref: `r${n}`, title: `n${n}` })),
        }),
      );
      const { items: made } = yield* Issues.Issues.use((issues) =>
        issues.list("project", { limit: 500, order: "asc" }),
      );
      for (const { id } of made) yield* put(id, { status: "PendingReview" });
      yield* TestClock.adjust("1 seconds");
      const [last = ""] = yield* reviews(["last", "tail"]);
      yield* chain(last, 1);
      const first = yield* page({ kind: ["review"], limit: 10 });
      assert.strictEqual(first.items[0]?.title, "last");
      const urgent = yield* create({ title: "urgent", priority: "urgent" });
      yield* put(urgent.id, { status: "PendingReview" });
      const rest: Array<string> = [];
      let cursor = first.next;
      while (cursor !== null) {
        const found = yield* page({ kind: ["review"], limit: 100, cursor });
        rest.push(...titles(found.items));
        cursor = found.next;
      }
      assert.lengthOf(new Set([...titles(first.items), ...rest]), 501);
      assert.lengthOf(rest, 491);
      assert.notInclude(rest, "last");
      assert.strictEqual(rest.at(-1), "tail");
    }),
  );

  it.effect("[inbox.bounded] a page of 5,000 items reads the first 501, and the page's own", () =>
    Effect.gen(function* () {
      const all = Array.from({ length: 5_000 }, (_, n): InboxStore.InboxIssue => ({
        id: `iss_${String(n).padStart(4, "0")}`,
        key: `SHOP-${n}`,
        projectId: "shop",
        title: `n${n}`,
        status: "PendingReview",
        priority: "normal",
        assignedAgentId: null,
        pausedBecause: null,
        attempts: 0,
        notBefore: null,
        updatedAt: Fixtures.at(0),
      }));
      let read = 0;
      const storage = TestStorage.altered(InboxStore.InboxStore, () => ({
        reviews: (_, { after, limit, order }) =>
          Effect.sync(() => {
            const sorted = order === "asc" ? all : all.toReversed();
            const start = after === null ? 0 : sorted.findIndex(({ id }) => id === after.id) + 1;
            const rows = sorted.slice(start, start + limit);
            read += rows.length;
            return rows;
          }),
      }));
      yield* Effect.gen(function* () {
        for (const order of ["asc", "desc"] as const) {
          const ids: Array<string | null> = [];
          let cursor: string | undefined;
          do {
            read = 0;
            const found = yield* page({ kind: ["review"], limit: 100, order, cursor });
            assert.isAtMost(read, 501 + 101);
            ids.push(...found.items.map(({ issueId }) => issueId));
            cursor = found.next ?? undefined;
          } while (cursor !== undefined);
          const expected = all.map(({ id }) => id);
          assert.deepStrictEqual(ids, order === "asc" ? expected : expected.toReversed());
        }
      }).pipe(Callers.as(alice), Effect.provide(TestCore.layerWith({ storage })));
    }),
  );
});
