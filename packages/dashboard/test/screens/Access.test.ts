import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest";
import type { Page } from "playwright-core";
import { assertAccessible } from "../support/Axe.ts";
import { hasBrowser } from "../support/Browser.ts";
import * as McpServer from "../support/McpServer.ts";
import { opposites, type Screens, shoot, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];
let screens: Screens;
let tracker: McpServer.McpServer;

const tool = (name: string) => ({
  name,
  description: `Does what its name says: ${name}.`,
  inputSchema: { type: "object" },
});

const grant = (server: McpServer.McpServer, agentId: string, fields: object = {}) =>
  server.call("PUT", "/access", { entries: [{ agentId, granted: true, ...fields }] });

const accessOf = async (agentId: string) => {
  const { body } = await tracker.call("GET", "/access");
  return body.find((entry: { readonly agentId: string }) => entry.agentId === agentId);
};

const row = (page: Page, agentId: string) => page.locator(`[data-access="${agentId}"]`);
const servers = ["tracker", "calendar", "mail", "metrics", "search", "wiki"];
const cell = (page: Page, agentId: string, server: string) =>
  page
    .getByRole("row", { name: new RegExp(`^${agentId}`) })
    .getByRole("gridcell")
    .nth(servers.indexOf(server));

describe.runIf(hasBrowser)("access", () => {
  beforeAll(async () => {
    const end = (one: () => Promise<void>) => endings.unshift(one);
    screens = await start(end);
    for (const agentId of [
      "atlas",
      "scribe",
      "warden",
      "a-very-long-name-of-an-agent-without-end",
    ]) {
      await screens.call("PUT", `/api/agents/${agentId}`, {});
    }
    tracker = await McpServer.install(
      screens,
      "tracker",
      ["search_issues", "create_issue", "close_issue"].map(tool),
      end,
    );
    const calendar = await McpServer.install(screens, "calendar", [tool("list_events")], end);
    for (const name of servers.slice(2)) {
      await McpServer.install(screens, name, [tool("read")], end);
    }
    await grant(tracker, "warden", { readOnly: true, callsPerMinute: 30 });
    await grant(calendar, "atlas");
  });
  afterAll(async () => {
    for (const end of endings) await end();
  });

  for (const { size, theme } of opposites) {
    it(`[dashboard.accessible] access and its matrix are accessible, ${theme} and ${size}`, async () => {
      const page = await screens.open(`/servers/${tracker.id}?tab=access`, { theme, size });
      await row(page, "warden").waitFor();
      await assertAccessible(page);
      await shoot(page, `access-${theme}-${size}`);
      await page.getByRole("link", { name: "All servers" }).click();
      await cell(page, "warden", "tracker").click();
      await page.getByRole("dialog").getByLabel("Some tools").check();
      await page.getByRole("checkbox", { name: /create_issue/ }).waitFor();
      await assertAccessible(page);
      await shoot(page, `matrix-${theme}-${size}`);
    });
  }

  it("[dashboard.access] access is granted, limited and revoked by keyboard, and a refused form stays open", async () => {
    const page = await screens.open(`/servers/${tracker.id}?tab=access`);
    await row(page, "warden").waitFor();
    assert.match(await page.locator("[data-access]").first().innerText(), /warden/);
    await page.keyboard.press("n");
    await page.keyboard.type("newcomer");
    await page.keyboard.press("Enter");
    await row(page, "newcomer").getByText("All tools").waitFor();
    await row(page, "newcomer").focus();
    await page.keyboard.press("Enter");
    const form = page.getByRole("dialog", { name: "newcomer and tracker" });
    await form.getByLabel("Some tools").check();
    await form.getByRole("checkbox", { name: /search_issues/ }).check();
    await form.getByRole("checkbox", { name: /Read-only/ }).check();
    await form.getByLabel("Calls per minute").fill("12");
    await page.route("**/access", (route) =>
      route.request().method() === "PUT"
        ? route.fulfill({
            status: 409,
            contentType: "application/problem+json",
            body: JSON.stringify({
              type: "about:blank",
              title: "No",
              status: 409,
              detail: "Not now.",
            }),
          })
        : route.fallback(),
    );
    await page.keyboard.press("Enter");
    await form.getByRole("alert").filter({ hasText: "Not now." }).waitFor();
    assert.strictEqual(await form.getByLabel("Calls per minute").inputValue(), "12");
    await page.unroute("**/access");
    await page.keyboard.press("Enter");
    await form.waitFor({ state: "detached" });
    await row(page, "newcomer").getByText("1 tool").waitFor();
    const { tokens: _, ...saved } = await accessOf("newcomer");
    assert.deepStrictEqual(saved, {
      agentId: "newcomer",
      granted: true,
      tools: ["search_issues"],
      readOnly: true,
      callsPerMinute: 12,
      maxConcurrentCalls: null,
    });
    await row(page, "newcomer").focus();
    await page.keyboard.press("t");
    await row(page, "newcomer").getByText("No access").waitFor();
    await page.keyboard.press("t");
    await row(page, "newcomer").getByText("12/min").waitFor();
    await vi.waitFor(
      async () => assert.strictEqual((await accessOf("newcomer")).callsPerMinute, 12),
      { timeout: 10_000 },
    );
  });

  it("[dashboard.access] a form and its input stay when a response lacks the agent", async () => {
    const page = await screens.open(`/servers/${tracker.id}?tab=access`);
    await row(page, "warden").focus();
    await page.keyboard.press("Enter");
    const form = page.getByRole("dialog", { name: "warden and tracker" });
    await form.getByLabel("Calls per minute").fill("7");
    await page.route(/\/access(\?|$)/, async (route) => {
      if (route.request().method() !== "GET") return route.fallback();
      const response = await route.fetch();
      const entries: ReadonlyArray<{ readonly agentId: string }> = await response.json();
      const json = entries.filter(({ agentId }) => agentId !== "warden");
      return route.fulfill({ response, json });
    });
    // Its event makes the page read the list again.
    await grant(tracker, "scribe");
    await row(page, "warden").waitFor({ state: "detached" });
    assert.strictEqual(await form.getByLabel("Calls per minute").inputValue(), "7");
    await tracker.call("PUT", "/access", { entries: [{ agentId: "scribe", granted: false }] });
  });

  it("[dashboard.access.refused] a refused grant is undone and explained", async () => {
    const page = await screens.open(`/servers/${tracker.id}?tab=access`);
    await row(page, "scribe").waitFor();
    await page.route("**/access", (route) =>
      route.request().method() === "PUT"
        ? route.fulfill({
            status: 409,
            contentType: "application/problem+json",
            body: JSON.stringify({
              type: "about:blank",
              title: "No",
              status: 409,
              detail: "Not now.",
            }),
          })
        : route.fallback(),
    );
    await page.getByRole("switch", { name: "Access for scribe" }).click();
    await page.getByText("Not now.").first().waitFor();
    assert.isFalse(await page.getByRole("switch", { name: "Access for scribe" }).isChecked());
  });

  it("[dashboard.access.matrix] the arrows move between cells, Space grants and Enter opens the tools", async () => {
    const page = await screens.open("/servers");
    await page.getByRole("link", { name: "Access", exact: true }).click();
    await page.getByLabel("Find an agent").fill("a");
    await page.waitForURL(/q=a$/);
    await cell(page, "atlas", "calendar").waitFor();
    await page.getByRole("row", { name: /^scribe/ }).waitFor({ state: "detached" });
    await cell(page, "atlas", "tracker").getByLabel("No access").waitFor();
    await cell(page, "atlas", "tracker").focus();
    await page.keyboard.press("ArrowRight");
    await cell(page, "atlas", "calendar").and(page.locator(":focus")).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Home");
    await cell(page, "warden", "tracker").and(page.locator(":focus")).waitFor();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Space");
    await cell(page, "atlas", "tracker").getByText("All tools").waitFor();
    await page.keyboard.press("Enter");
    const form = page.getByRole("dialog", { name: "atlas and tracker" });
    await form.getByLabel("Some tools").check();
    await form.getByRole("checkbox", { name: /close_issue/ }).check();
    await form.getByRole("button", { name: "Save" }).click();
    await cell(page, "atlas", "tracker").getByText("1 tool").waitFor();
    await cell(page, "atlas", "tracker").and(page.locator(":focus")).waitFor();
    assert.deepStrictEqual((await accessOf("atlas")).tools, ["close_issue"]);
    await tracker.call("PUT", "/access", { entries: [{ agentId: "atlas", granted: false }] });
    await cell(page, "atlas", "tracker").getByLabel("No access").waitFor();
  });

  it("[dashboard.tools.tab] a server's own tools are listed, and a new one is accepted there", async () => {
    tracker.tools = [...tracker.tools, tool("assign_issue")];
    await tracker.verify();
    const page = await screens.open(`/servers/${tracker.id}?tab=tools`);
    await page.locator("[data-tool$='/assign_issue']").waitFor();
    assert.strictEqual(await page.locator("[data-tool]").count(), 4);
    await shoot(page, "tools-tab");
    await page.getByRole("button", { name: "Review 1 change" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Accept", exact: true }).click();
    await page.locator("[data-tool$='/assign_issue']").getByText("Accepted").waitFor();
  });

  it("[dashboard.access.all] a server is granted to all agents after a confirmation, and agents are shown by name", async () => {
    await screens.call("PUT", "/api/agents/warden", { name: "Warden of the gate" });
    const page = await screens.open(`/servers/${tracker.id}?tab=access`);
    await page.getByRole("button", { name: /Warden of the gate/ }).waitFor();
    await page.getByRole("button", { name: "Grant to all agents" }).click();
    const dialog = page.getByRole("dialog", { name: /^Grant tracker to \d+ agents$/ });
    await assertAccessible(page);
    await shoot(page, "grant-all");
    await dialog.getByRole("button", { name: /^Grant to/ }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Grant to all agents" }).waitFor({ state: "detached" });
    const { body } = await tracker.call("GET", "/access");
    assert.isTrue(body.every(({ granted }: { readonly granted: boolean }) => granted));
    const warden = body.find(({ agentId }: { readonly agentId: string }) => agentId === "warden");
    assert.strictEqual(warden.callsPerMinute, 30);
  });

  it("[dashboard.access.names] the matrix shows agents by name, and marks the column of a server in error", async () => {
    await screens.call("PUT", "/api/agents/warden", { name: "Warden of the gate" });
    const page = await screens.open("/inbox");
    await page.route(/\/api\/mcp\/installed(\?|$)/, async (route) => {
      const response = await route.fetch();
      const installed: ReadonlyArray<Record<string, unknown>> = await response.json();
      const json = installed.map((one) =>
        one["name"] === "calendar" ? { ...one, status: "error" } : one,
      );
      await route.fulfill({ response, json });
    });
    await page.goto(`${screens.server.url}/servers/access`);
    await page.getByRole("rowheader", { name: /Warden of the gate/ }).waitFor();
    await page.getByRole("columnheader", { name: "calendar Error" }).waitFor();
    await assertAccessible(page);
    await shoot(page, "matrix-error");
  });
});
