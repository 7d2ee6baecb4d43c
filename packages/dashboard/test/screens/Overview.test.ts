import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest";
import type { Page } from "playwright-core";
import { assertAccessible } from "../support/Axe.ts";
import { hasBrowser, sizes } from "../support/Browser.ts";
import { createEntry, env, install } from "../support/Fixtures.ts";
import { type Screens, seed, shoot, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];
let screens: Screens;

const part = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const line = (page: Page, name: RegExp) => page.getByRole("row", { name });

describe.runIf(hasBrowser)("overview", () => {
  beforeAll(async () => {
    screens = await start((end) => endings.unshift(end), env);
    const { call } = screens;
    await seed(screens);
    await createEntry(screens, "echo");
    await install(screens, "echo");
    for (const outcome of ["resolved", "failed", "review"]) {
      await call("POST", "/api/projects/data/issues", {
        title: `Ended as ${outcome}`,
        assignedAgentId: "nova",
      });
      const { body } = await call("POST", "/api/agents/nova/heartbeat", {});
      const [{ runId }] = body.started;
      await call("POST", `/api/agents/nova/runs/${runId}/finish`, { outcome });
    }
    // The server counts every few seconds, so this polls.
    await vi.waitFor(
      async () => {
        const { body } = await call("GET", "/api/stats");
        assert.strictEqual(body.runs.review, 1);
      },
      { timeout: 20_000, interval: 250 },
    );
  }, 60_000);
  afterAll(async () => {
    for (const end of endings) await end();
  });

  it("[dashboard.overview] the overview shows stuck work and statistics, and links to the lists that they count", async () => {
    const page = await screens.open("/inbox");
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("o");
    await part(page, "Stuck work").getByText("Checkout fails for carts").waitFor();
    await line(page, /Checkout fails for carts.* atlas 2/).waitFor();
    await part(page, "Throughput").locator("canvas").waitFor();
    await part(page, "Throughput").getByText("Show as a table").click();
    await part(page, "Throughput").getByRole("cell", { name: "13" }).waitFor();
    await line(page, /^Failed 1/).waitFor();
    await part(page, "Tool calls by server").getByText("echo").first().waitFor();
    await page.keyboard.press("2");
    await page
      .getByRole("link", { name: "7 days", exact: true })
      .and(page.locator("[aria-current]"))
      .waitFor();
    assert.include(page.url(), "window=7d");
    assert.strictEqual(await page.locator("nav[aria-label=Time] [aria-current]").count(), 1);
    await page.reload();
    await part(page, "Runs by outcome").getByRole("link", { name: "2 agents alive" }).waitFor();
    const statuses = part(page, "Time in each status");
    const resolved = statuses.getByRole("link", { name: /^\d+ Resolved$/ });
    const count = Number.parseInt(await resolved.innerText(), 10);
    await resolved.click();
    await page.getByRole("article", { name: "Ended as resolved" }).waitFor();
    assert.include(page.url(), "status=Resolved");
    assert.strictEqual(await page.getByRole("article").count(), count);
  });

  it("[dashboard.overview.agents] each agent has its runs, reviews, failures and median time, beside the time before", async () => {
    const page = await screens.open("/overview");
    const row = part(page, "Agents").getByRole("row", { name: /^nova/ });
    await row.waitFor();
    assert.match(
      await row.innerText(),
      /nova\s+\d+\s+before:\s+0\s+–\s+before:\s+–\s+1\s+before:\s+0/,
    );
    await row.getByRole("link", { name: "nova" }).click();
    await page.getByRole("heading", { name: "nova" }).waitFor();
  });

  it("[dashboard.overview.feed] the overview shows the newest changes as they happen, with links to their issues", async () => {
    const page = await screens.open("/overview");
    const feed = part(page, "Activity");
    await feed.getByRole("listitem").first().waitFor();
    await screens.call("POST", "/api/projects/data/issues", { title: "Just now" });
    await feed
      .getByRole("listitem")
      .filter({ hasText: "created the issue" })
      .getByRole("link", { name: "Just now" })
      .click();
    await page.getByRole("heading", { name: "Just now" }).waitFor();
  });

  it("[dashboard.overview.empty] an empty project has numbers and no chart", async () => {
    const page = await screens.open("/overview?window=30d&project=nothing");
    await part(page, "Stuck work").getByText("No open issue is blocked.").waitFor();
    await part(page, "Throughput")
      .getByText(/No issues were created/)
      .waitFor();
    assert.strictEqual(await page.locator("canvas").count(), 0);
    await page.getByRole("button", { name: "Project: nothing" }).waitFor();
    await page.keyboard.press("0");
    await part(page, "Throughput").locator("canvas").waitFor();
    await shoot(page, "overview-month");
  });

  it("[dashboard.overview.project] a menu restricts the numbers to a project, and they link to its lists", async () => {
    const page = await screens.open("/overview?window=7d");
    await page.getByRole("button", { name: "Project: All projects" }).waitFor();
    await page.keyboard.press("f");
    await page.getByRole("menuitem", { name: "media" }).click();
    await page.getByRole("button", { name: "Project: media" }).waitFor();
    assert.include(page.url(), "project=media");
    assert.include(page.url(), "window=7d");
    const created = part(page, "Throughput").getByRole("link", { name: "Created 1", exact: true });
    await created.click();
    await page.getByRole("heading", { name: "Work" }).waitFor();
    assert.include(page.url(), "createdAfter=");
    assert.include(page.url(), "media");
    await page.getByRole("article").waitFor();
    assert.strictEqual(await page.getByRole("article").count(), 1);
    await page.goBack();
    await page.getByRole("button", { name: "Project: media" }).click();
    await assertAccessible(page);
    await page.getByRole("menuitem", { name: "All projects" }).click();
    await line(page, /Checkout fails for carts/)
      .getByRole("link", { name: "2 blocked issues" })
      .click();
    await page.getByRole("heading", { name: "Graph" }).waitFor();
    assert.include(page.url(), "view=list");
  });

  it("[dashboard.accessible] the overview is accessible: light and wide, dark and narrow", async () => {
    const page = await screens.open("/overview");
    // Colors do not depend on the width, so each theme is tested at one width.
    for (const [theme, size] of [
      ["light", "wide"],
      ["dark", "narrow"],
    ] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize(sizes[size]);
      await part(page, "Throughput").locator("canvas").waitFor();
      await part(page, "Stuck work").getByText("Checkout fails for carts").waitFor();
      await assertAccessible(page);
      await shoot(page, `overview-${theme}-${size}`);
      const width = await page.evaluate("document.documentElement.scrollWidth");
      assert.isAtMost(Number(width), sizes[size].width);
    }
  });
});
