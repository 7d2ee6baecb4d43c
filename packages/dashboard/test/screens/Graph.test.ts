import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest";
import type { Page } from "playwright-core";
import { assertAccessible } from "../support/Axe.ts";
import { hasBrowser, sizes } from "../support/Browser.ts";
import { opposites, type Screens, seed, shoot, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];
let screens: Screens;
let ids: ReadonlyMap<string, string>;

/** A chain of four issues, which other issues join, and one resolved issue. */
const chain = [
  { ref: "schema", title: "Agree on the schema of orders", assignedAgentId: "atlas" },
  { ref: "store", title: "Write the order store", blockedBy: ["schema"] },
  { ref: "import", title: "Import the old orders", blockedBy: ["store"], priority: "high" },
  { ref: "switch", title: "Switch the shop to the new store", blockedBy: ["import", "docs"] },
  { ref: "api", title: "Serve orders by the API", blockedBy: ["store"] },
  { ref: "docs", title: `Describe the <b>schema</b> ${"wide".repeat(30)}`, blockedBy: ["schema"] },
  { ref: "alone", title: "Waits for nothing" },
  { ref: "pair", title: "Buy a larger disk" },
  { ref: "pair-2", title: "Move the backups", blockedBy: ["pair"] },
];

const plan = async (project: string, issues: ReadonlyArray<object>) => {
  const { body, text } = await screens.call("POST", `/api/projects/${project}/plan`, { issues });
  assert.isArray(body, text);
  return new Map<string, string>(
    body.map(
      ({ issue, ref }: { readonly ref: string; readonly issue: { readonly id: string } }) => [
        ref,
        issue.id,
      ],
    ),
  );
};

const picture = (page: Page) => page.locator("[data-picture]");
const node = (page: Page, name: RegExp) => picture(page).getByRole("link", { name });

describe.runIf(hasBrowser)("the graph", () => {
  beforeAll(async () => {
    screens = await start((end) => endings.unshift(end));
    await seed(screens);
    ids = await plan("orders", chain);
  });
  afterAll(async () => {
    for (const end of endings) await end();
  });

  it("[dashboard.graph] the issue that blocks most is largest, keys move along the chain, and Enter opens the issue", async () => {
    const page = await screens.open("/inbox");
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("d");
    await node(page, /Agree on the schema.*blocks 5/).waitFor();
    assert.strictEqual(await node(page, /Waits for nothing/).count(), 0);
    const width = async (name: RegExp) => (await node(page, name).boundingBox())?.width ?? 0;
    assert.isAbove(await width(/Agree/), await width(/Write/));
    assert.isAbove(await width(/Write/), await width(/Serve/));
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await node(page, /(Write|Describe)/)
      .and(page.locator(":focus"))
      .waitFor();
    await page.keyboard.press("ArrowLeft");
    await node(page, /Agree/).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/issues\/ORDERS-\d+$/);
    await page.goBack();
    // The picture moves to its first issue just after it is drawn.
    let before: unknown;
    await vi.waitFor(
      async () => {
        const last = before;
        before = await node(page, /Buy/).boundingBox();
        assert.deepStrictEqual(before, last);
      },
      { interval: 100, timeout: 10_000 },
    );
    // The graph shows another client's change, and no node moves.
    await screens.call("PUT", `/api/projects/issues/${ids.get("pair-2")}`, { title: "Move them" });
    await node(page, /Move them/).waitFor();
    assert.deepStrictEqual(await node(page, /Buy/).boundingBox(), before);
  });

  it("[dashboard.graph] the list shows the same issues, also around one issue", async () => {
    const page = await screens.open(`/graph?issue=${ids.get("pair")}&view=list`);
    const row = page.getByRole("article", { name: "Buy a larger disk" });
    await row.getByText("blocks 1").waitFor();
    assert.strictEqual(await page.getByRole("article").count(), 2);
    await page.getByRole("button", { name: /Around Buy a larger disk/ }).click();
    const first = page.getByRole("article").first();
    await first.getByText("blocks 5").waitFor();
    await page
      .getByRole("navigation", { name: "Critical chain" })
      .getByText("Switch the shop to the new store")
      .waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/issues\/ORDERS-\d+$/);
  });

  it("[dashboard.graph.open] a large graph opens at the critical chain, folds leaves, finds issues, hides resolved ones and has a map", async () => {
    const step = (n: number) => ({
      ref: `s${n}`,
      title: `Step ${n}`,
      blockedBy: n === 0 ? [] : [`s${n - 1}`],
    });
    const leaf = (n: number) => ({ ref: `l${n}`, title: `Leaf ${n}`, blockedBy: ["s1"] });
    const made = await plan("wide", [
      ...Array.from({ length: 70 }, (_, n) => step(n)),
      ...Array.from({ length: 26 }, (_, n) => leaf(n)),
    ]);
    const page = await screens.open("/graph?project=wide");
    await node(page, /^Step 0 /).waitFor();
    const start = await node(page, /^Step 0 /).boundingBox();
    const frame = await picture(page).boundingBox();
    assert.isBelow((start?.x ?? 0) - (frame?.x ?? 0), 80);
    const smallest = await page.evaluate(`(() => {
      const link = document.querySelector("[data-picture] [data-id=${made.get("s0")}]");
      const scale = link.getBoundingClientRect().height / link.offsetHeight;
      const texts = [...link.querySelectorAll("span, b")];
      return scale * Math.min(...texts.map((one) => parseFloat(getComputedStyle(one).fontSize)));
    })()`);
    assert.isAtLeast(Number(smallest), 10.99);
    await picture(page).getByRole("img", { name: "Map of the graph" }).waitFor();
    assert.strictEqual(await node(page, /^Leaf 3 /).count(), 0);
    await page.getByRole("searchbox", { name: "Find in the graph" }).fill("leaf 3");
    await page.getByText("1 found").waitFor();
    await node(page, /^Leaf 3 /)
      .and(page.locator("[data-found=true]"))
      .waitFor();
    await page.getByRole("searchbox", { name: "Find in the graph" }).fill("");
    await picture(page).getByRole("button", { name: "+26" }).press("Enter");
    await node(page, /^Leaf 7 /).waitFor();
    await screens.call("PUT", `/api/projects/issues/${made.get("s0")}`, { status: "Resolved" });
    await page.getByRole("button", { name: "Hide resolved" }).click();
    await node(page, /^Step 0 /).waitFor({ state: "detached" });
    await node(page, /^Step 1 /).waitFor();
    assert.include(page.url(), "open=true");
    await shoot(page, "graph-wide");
  });

  it("[dashboard.graph] an unknown issue shows the API's message, and no dependencies show an empty state", async () => {
    const page = await screens.open("/graph?issue=iss_00000000000000000000000000");
    await page.getByRole("alert").waitFor();
    await plan("lonely", [{ ref: "a", title: "Alone" }]);
    await page.goto(`${screens.server.url}/graph?project=lonely`);
    await page.getByRole("heading", { name: "No dependencies yet" }).waitFor();
    await page.getByText("issue link").waitFor();
  });

  it("[dashboard.graph.fast] 500 issues are laid out and drawn in time, even on a busy machine", async () => {
    const issues = Array.from({ length: 500 }, (_, index) => ({
      ref: `n${index}`,
      title: `Step ${index} of a large migration`,
      blockedBy:
        index % 10 === 0 ? [] : [`n${index - 1}`, ...(index > 30 ? [`n${index - 23}`] : [])],
    }));
    await plan("large", issues);
    const page = await screens.open("/graph?project=lonely&view=picture");
    await page.getByRole("button", { name: /^Project/ }).click();
    const item = page.getByRole("menuitem", { name: "large" });
    await item.waitFor();
    const opened = performance.now();
    await item.click();
    await node(page, /Step 499 /).waitFor();
    const took = performance.now() - opened;
    // The target is 2 s; the limit is higher because other tests use the machine.
    assert.isBelow(took, 10_000);
    if (process.env["SCREENSHOTS"] !== undefined) process.stderr.write(`500 issues: ${took} ms\n`);
    await shoot(page, "graph-500");
  });

  it("[dashboard.accessible] the picture and the list are accessible in both themes and sizes", async () => {
    const page = await screens.open("/graph?project=orders");
    for (const { size, theme } of opposites) {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize(sizes[size]);
      await page.goto(`${screens.server.url}/graph?project=orders`);
      // A narrow screen starts with the list.
      if (size === "wide") await node(page, /Agree/).waitFor();
      else await page.getByRole("article", { name: /^Agree/ }).waitFor();
      await assertAccessible(page);
      await shoot(page, `graph-${theme}-${size}`);
      await page.getByRole("tab", { name: size === "wide" ? "List" : "Graph" }).click();
      if (size === "narrow") await node(page, /Agree/).waitFor();
      else await page.getByRole("article", { name: /^Agree/ }).waitFor();
      await assertAccessible(page);
      await shoot(page, `graph-other-${theme}-${size}`);
      const width = Number(await page.evaluate("document.documentElement.scrollWidth"));
      assert.isAtMost(width, sizes[size].width);
    }
  });
});
