import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest";
import type { Page } from "playwright-core";
import { assertAccessible } from "../support/Axe.ts";
import { hasBrowser } from "../support/Browser.ts";
import { opposites, type Screens, shoot, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];
let screens: Screens;

const row = (page: Page, name: RegExp) => page.getByRole("article", { name });

describe.runIf(hasBrowser)("the list of runs", () => {
  beforeAll(async () => {
    screens = await start((end) => endings.unshift(end));
    const { call } = screens;
    for (const [agent, outcome] of [
      ["nova", "failed"],
      ["nova", "resolved"],
      ["kai", "failed"],
      ["kai", null],
    ] as const) {
      const title = `Work of ${agent}: ${outcome ?? "in progress"}`;
      await call("POST", "/api/projects/shop/issues", { title, assignedAgentId: agent });
      const { body } = await call("POST", `/api/agents/${agent}/heartbeat`, { capacity: 5 });
      const run = body.started.at(-1);
      if (outcome === null) continue;
      await call("POST", `/api/agents/${agent}/runs/${run.runId}/finish`, { outcome });
    }
    // The server counts every few seconds, so this polls.
    await vi.waitFor(
      async () => assert.strictEqual((await call("GET", "/api/stats")).body.runs.failed, 2),
      { timeout: 20_000, interval: 250 },
    );
  }, 60_000);
  afterAll(async () => {
    for (const end of endings) await end();
  });

  it("[page.runs] the runs of all agents are listed, filtered by state and opened by keyboard", async () => {
    const page = await screens.open("/inbox");
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("r");
    await row(page, /Running/).waitFor();
    assert.strictEqual(await page.getByRole("article").count(), 4);
    await page.keyboard.press("f");
    await page.getByRole("menuitem", { name: "Resolved" }).click();
    await row(page, /Running/).waitFor({ state: "detached" });
    await row(page, /Resolved/)
      .getByRole("link", { name: /Work of nova: resolved/ })
      .waitFor();
    assert.include(page.url(), "state=resolved");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/runs/run_*");
    await page.goto(new URL("/runs?state=stopping", page.url()).href);
    await page.getByText("No runs match").waitFor();
    // Live: a run of another agent appears.
    await page.goto(new URL("/runs?agent=ida", page.url()).href);
    await page.getByText("No runs match").waitFor();
    const body = { title: "Later", assignedAgentId: "ida" };
    await screens.call("POST", "/api/projects/shop/issues", body);
    await screens.call("POST", "/api/agents/ida/heartbeat", {});
    await row(page, /Running/).waitFor();
  });

  it("[page.runs.counted] numbers of runs on the overview lead to exactly these runs", async () => {
    const page = await screens.open("/overview");
    const outcomes = page.getByRole("region", { name: "Runs by outcome" });
    const visit = async (name: RegExp, count: number) => {
      await page.getByRole("region", { name: "Runs by outcome" }).waitFor();
      await outcomes.getByRole("link", { name }).click();
      await page.getByRole("heading", { name: "Runs", exact: true }).waitFor();
      await row(page, /./).first().waitFor();
      assert.strictEqual(await page.getByRole("article").count(), count);
      await page.goBack();
    };
    await visit(/^2 Failed$/, 2);
    await visit(/^1 Resolved$/, 1);
    const agents = page.getByRole("region", { name: "Agents", exact: true });
    await agents.getByRole("row", { name: /^kai/ }).getByRole("link", { name: "2" }).click();
    await page.getByRole("heading", { name: "Runs", exact: true }).waitFor();
    await row(page, /Running/).waitFor();
    assert.strictEqual(await page.getByRole("article").count(), 2);
    await page.getByRole("button", { name: "Remove the filter kai" }).click();
    await row(page, /Resolved/).waitFor();
  });

  for (const { size, theme } of opposites) {
    it(`[dashboard.accessible] the list of runs is accessible, ${theme} and ${size}`, async () => {
      const page = await screens.open("/runs", { theme, size });
      await row(page, /Failed/)
        .first()
        .waitFor();
      await assertAccessible(page);
      await shoot(page, `runs-${theme}-${size}`);
    });
  }
});
