import { assert, describe, it } from "@effect/vitest";
import type { BriefIssue } from "@quartermaster/client";
import {
  belongs,
  type IssuePage,
  patchPages,
  queryOf,
  removeFrom,
} from "../src/data/issues/patch.ts";

const issue = (number: number, fields: Partial<BriefIssue> = {}): BriefIssue => ({
  id: `iss_${String(number).padStart(4, "0")}`,
  key: "WEB-1",
  projectId: "web",
  title: `Issue ${number}`,
  status: "Open",
  priority: "normal",
  assignedAgentId: null,
  assigneeUserId: null,
  goalId: null,
  paused: false,
  pausedBecause: null,
  attempts: 0,
  notBefore: null,
  version: 1,
  labels: [],
  externalRef: null,
  createdBy: { type: "User", id: "ada" },
  createdAt: "2026-11-22T00:00:00.000Z",
  updatedAt: "2026-11-22T00:00:00.000Z",
  startedAt: null,
  resolvedAt: null,
  closedAt: null,
  blockedByCount: 0,
  blocksCount: 0,
  openQuestions: 0,
  liveRun: null,
  ...fields,
});

const page = (numbers: ReadonlyArray<number>, next: string | null = null): IssuePage => ({
  items: numbers.map((number) => issue(number)),
  next,
});

const changed = (...issues: ReadonlyArray<BriefIssue>) =>
  new Map(issues.map((one) => [one.id, one]));

const numbers = (pages: ReadonlyArray<IssuePage>) =>
  pages.map(({ items }) => items.map(({ id }) => Number(id.slice(4))));

describe("lists and events", () => {
  const filter = { status: ["Open"] } as const;
  const pages = [page([9, 7], "next"), page([5, 3])];

  it("[dashboard.patch] a changed issue stays, leaves or enters a list by its filter", () => {
    const renamed = patchPages(filter, pages, changed(issue(7, { title: "New", version: 2 })));
    assert.strictEqual(renamed[0]?.items[1]?.title, "New");
    assert.strictEqual(renamed[1], pages[1]);
    const resolved = issue(7, { status: "Resolved", version: 2 });
    assert.deepStrictEqual(numbers(patchPages(filter, pages, changed(resolved))), [[9], [5, 3]]);
    const entered = patchPages(filter, pages, changed(issue(10), issue(8), issue(4), issue(1)));
    assert.deepStrictEqual(numbers(entered), [
      [10, 9, 8, 7],
      [5, 4, 3, 1],
    ]);
  });

  it("an issue beyond the loaded pages does not enter, and an older version changes nothing", () => {
    const partial = [page([9, 7], "next")];
    assert.strictEqual(patchPages(filter, partial, changed(issue(2))), partial);
    const known = [{ items: [issue(7, { version: 3 })], next: null }];
    const stale = issue(7, { version: 2, status: "Closed" });
    assert.deepStrictEqual(patchPages(filter, known, changed(stale))[0]?.items, known[0]?.items);
    assert.strictEqual(patchPages({ projectId: ["api"] }, pages, changed(issue(8))), pages);
  });

  it("with a search, rows may change and leave, and only the server decides which enter", () => {
    assert.isNull(belongs({ q: "word" }, issue(1)));
    assert.isFalse(belongs({ q: "word", priority: ["high"] }, issue(1)));
    assert.isTrue(belongs({ assigneeId: ["bot"] }, issue(1, { assigneeUserId: "bot" })));
    assert.isTrue(belongs({ q: "word" }, issue(1), new Set([issue(1).id])));
    const next = patchPages({ q: "word" }, pages, changed(issue(8), issue(7, { version: 2 })));
    assert.deepStrictEqual(numbers(next), [
      [9, 7],
      [5, 3],
    ]);
  });

  it("[dashboard.patch.order] an issue moves in a list by update or priority, and stays in a list by creation", () => {
    const at = (minute: number) => `2026-11-22T00:0${minute}:00.000Z`;
    const dated = [9, 7, 5].map((n, index) => issue(n, { updatedAt: at(5 - index) }));
    const known = [{ items: dated, next: null }];
    const touched = issue(5, { updatedAt: at(6), version: 2 });
    const order = (
      sort: "created" | "updated" | "priority",
      ...issues: ReadonlyArray<BriefIssue>
    ) => numbers(patchPages({ sort }, known, changed(...issues)));
    assert.deepStrictEqual(order("updated", touched), [[5, 9, 7]]);
    assert.deepStrictEqual(order("created", touched), [[9, 7, 5]]);
    const urgent = issue(7, { priority: "urgent", version: 2 });
    assert.deepStrictEqual(order("priority", urgent, issue(3, { priority: "low" })), [
      [7, 9, 5, 3],
    ]);
  });

  it("[dashboard.patch.values] the page evaluates several and excluded values, and the server evaluates files", () => {
    const one = issue(1, { labels: ["a,b", "bug"], assignedAgentId: "atlas", openQuestions: 1 });
    assert.isTrue(belongs({ label: ["ui,bug", "a\\,b"], status: ["Open", "Closed"] }, one));
    assert.isFalse(belongs({ not: { label: ["a,b"] } }, one));
    assert.isFalse(belongs({ not: { assigneeId: ["atlas"] } }, one));
    assert.isTrue(belongs({ has: ["question", "files"] }, one));
    assert.isFalse(belongs({ not: { has: ["question"] } }, one));
    assert.isNull(belongs({ has: ["files"] }, one));
    assert.isNull(belongs({ not: { has: ["files"] } }, one));
    assert.isFalse(belongs({ has: ["failure"] }, one));
    assert.isFalse(belongs({ createdAfter: one.createdAt }, one));
    assert.isTrue(belongs({ updatedSince: one.updatedAt }, one));
    assert.isFalse(belongs({ updatedBefore: one.updatedAt }, one));
    assert.isNull(belongs({ silentAgent: true }, one));
    assert.isFalse(belongs({ silentAgent: true }, issue(1)));
    const query = queryOf({ status: ["Open"], not: { label: ["a,b", "c"] }, q: "x" });
    assert.deepInclude(query, { status: "Open", "not.label": "a\\,b,c", q: "x" });
  });

  it("deleted issues leave every page, and other pages stay the same objects", () => {
    const next = removeFrom(pages, new Set(["iss_0007"]));
    assert.deepStrictEqual(numbers(next), [[9], [5, 3]]);
    assert.strictEqual(next[1], pages[1]);
    assert.strictEqual(removeFrom(pages, new Set(["iss_0001"])), pages);
  });

  it("[dashboard.patch] the page evaluates labels and pauses, and the server evaluates readiness", () => {
    const one = issue(1, { labels: ["api", "bug"], assignedAgentId: "atlas" });
    assert.isTrue(belongs({ label: ["bug", "api"] }, one));
    assert.isFalse(belongs({ label: ["bug", "ui"] }, one));
    assert.isFalse(belongs({ paused: true }, one));
    assert.isTrue(belongs({ paused: true }, { ...one, paused: true }));
    assert.isNull(belongs({ ready: true }, one));
    assert.isNull(belongs({ ready: false }, one));
    assert.isFalse(belongs({ ready: true }, { ...one, blockedByCount: 1 }));
    assert.isTrue(belongs({ ready: false }, { ...one, paused: true }));
  });
});
