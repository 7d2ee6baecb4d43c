import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest";
import type { Page } from "playwright-core";
import { hasBrowser } from "../support/Browser.ts";
import { type Screens, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];
let screens: Screens;
let ids: ReadonlyArray<string>;

const count = 32;
const statuses = ["Open", "InProgress", "PendingReview", "Resolved"] as const;

/** Changes the title and the status of all issues. The statuses repeat after four changes. */
const changeAll = async (time: number) => {
  const answers = await Promise.all(
    ids.map((id, index) =>
      screens.call("PUT", `/api/projects/issues/${id}`, {
        title: `Task ${index}, change ${time}`,
        status: statuses[(index + time) % statuses.length],
      }),
    ),
  );
  assert.deepStrictEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
};

/** Waits until the board shows exactly the state of that time. */
const shown = async (page: Page, time: number) => {
  const expected = ids
    .map(
      (_, index) => `${statuses[(index + time) % statuses.length]}: Task ${index}, change ${time}`,
    )
    .toSorted();
  const cards = `[...document.querySelectorAll("[data-column] article")]
    .map((card) => card.closest("[data-column]").dataset.column + ": " + card.ariaLabel).sort()`;
  await vi.waitFor(
    async () => assert.deepStrictEqual(await page.evaluate<Array<string>>(cards), expected),
    { timeout: 30_000, interval: 100 },
  );
};

/**
 * The size of the page's memory and content. A browser retains only a few entries of resources and
 * of long frames.
 */
const held = async (page: Page) => {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable");
  await cdp.send("HeapProfiler.collectGarbage");
  const { metrics } = await cdp.send("Performance.getMetrics");
  await cdp.detach();
  const metric = (name: string) => metrics.find((one) => one.name === name)?.value ?? Number.NaN;
  const entries = await page.evaluate<number>(
    `performance.getEntries().filter(({ entryType }) =>
      entryType !== "resource" && entryType !== "long-animation-frame").length`,
  );
  return { nodes: metric("Nodes"), listeners: metric("JSEventListeners"), entries };
};

describe.runIf(hasBrowser)("a flood", () => {
  beforeAll(async () => {
    screens = await start((end) => endings.unshift(end));
    const { body, text } = await screens.call("POST", "/api/projects/flood/plan", {
      issues: Array.from({ length: count }, (_, index) => ({
        ref: `n${index}`,
        title: `Task ${index}`,
      })),
    });
    assert.lengthOf(body, count, text);
    ids = body.map(({ issue }: { readonly issue: { readonly id: string } }) => issue.id);
  });
  afterAll(async () => {
    for (const end of endings) await end();
  });

  it("[dashboard.flood] 500 changes do not grow the page, and the board shows the last change of each issue", async () => {
    const page = await screens.open("/work");
    await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
    for (let time = 1; time <= 4; time++) await changeAll(time);
    await shown(page, 4);
    const before = await held(page);
    for (let time = 5; time <= 20; time++) await changeAll(time);
    await shown(page, 20);
    const after = await held(page);
    assert.isAtMost(after.nodes, before.nodes + 200);
    assert.isAtMost(after.listeners, before.listeners + 50);
    assert.isAtMost(after.entries, before.entries + 5);
    if (process.env["SCREENSHOTS"] !== undefined) {
      process.stderr.write(`${JSON.stringify({ before, after })}\n`);
    }
  });
});
