import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest";
import type { Page } from "playwright-core";
import { script } from "../../../mcp/test/support/Fixture.ts";
import { assertAccessible } from "../support/Axe.ts";
import { hasBrowser, sizes } from "../support/Browser.ts";
import { type Screens, seed, shoot, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];
let screens: Screens;

const row = (page: Page, name: string) => page.getByRole("article", { name, exact: true });

const part = (page: Page, name: string | RegExp) => page.getByRole("region", { name });

const create = async (title: string, fields: object) => {
  const { body, text } = await screens.call("POST", "/api/projects/web/issues", {
    title,
    ...fields,
  });
  assert.isString(body.id, text);
  return body;
};

/** Sends a heartbeat, which starts the agent's ready issues. Returns the ids of the runs. */
const beat = async (agentId: string): Promise<ReadonlyArray<string>> => {
  const { body } = await screens.call("POST", `/api/agents/${agentId}/heartbeat`, {});
  return body.started.map(({ runId }: { readonly runId: string }) => runId);
};

/** Grants the agent the tools of a server, and calls one of them. */
const grantTools = async (agentId: string) => {
  const ok = async (method: string, path: string, body?: unknown) => {
    const answer = await screens.call(method, path, body);
    assert.isBelow(answer.status, 300, answer.text);
    return answer.body;
  };
  await ok("POST", "/api/mcp/catalog", {
    id: "echo",
    name: "Echo",
    description: "Echoes what it is sent.",
    category: "dev",
    transport: "stdio",
    runtime: "none",
    installInstructions: "Nothing to do.",
    manifest: { command: process.execPath, args: [script, "good"] },
  });
  const { id } = await ok("POST", "/api/mcp/installed", { catalogId: "echo" });
  await ok("POST", `/api/mcp/installed/${id}/verify?accept=true`);
  await ok("POST", `/api/mcp/installed/${id}/enable`);
  await ok("PUT", `/api/mcp/installed/${id}/access`, { entries: [{ agentId, granted: true }] });
  const name = await vi.waitFor(
    async () => {
      const { tools } = await ok("GET", `/api/agents/${agentId}/tools`);
      assert.isString(tools[0]?.name);
      return tools[0].name as string;
    },
    { timeout: 10_000 },
  );
  await ok("POST", `/api/agents/${agentId}/tools/call`, { name, arguments: {} });
};

describe.runIf(hasBrowser)("agents", () => {
  beforeAll(async () => {
    screens = await start((end) => endings.unshift(end), { QM_ALLOW_DIRECT: "1" });
    await seed(screens);
    for (const outcome of ["resolved", "failed", "released"]) {
      await create(`Nova ${outcome} this`, { assignedAgentId: "nova" });
      const [runId] = await beat("nova");
      await screens.call("POST", `/api/agents/nova/runs/${runId}/finish`, {
        outcome,
        ...(outcome === "released" ? { retryAfterSeconds: 3_600 } : {}),
      });
    }
    await create("Nova works on this", { assignedAgentId: "nova", priority: "high" });
    await beat("nova");
    await create("Nova does this next", { assignedAgentId: "nova" });
    await grantTools("nova");
  }, 60_000);
  afterAll(async () => {
    for (const end of endings) await end();
  });

  it("[dashboard.agents] [dashboard.sparklines] the list shows the current and the queued work of each agent, and follows changes", async () => {
    const page = await screens.open("/inbox");
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("a");
    const nova = row(page, "nova");
    await nova.getByText("Nova works on this").waitFor();
    await nova.getByRole("img", { name: /lease expires in/ }).waitFor();
    await nova.getByTitle("Duration of the run").waitFor();
    await nova.getByText("2 queued").waitFor();
    await nova
      .getByRole("img", {
        name: /^Last runs: 1 released, 1 failed and paused, 1 resolved\. The longest/,
      })
      .waitFor();
    assert.strictEqual(await nova.locator("svg rect").count(), 3);
    await row(page, "scribe").getByText("Silent").first().waitFor();
    await create("Scribe gets this", { assignedAgentId: "scribe" });
    await row(page, "scribe").getByText("2 queued").waitFor();
    await beat("scribe");
    await row(page, "scribe")
      .getByRole("img", { name: /lease expires/ })
      .waitFor();
    await page.getByRole("link", { name: /^Working/ }).click();
    await row(page, "nova").waitFor();
    assert.include(page.url(), "state=working");
    const current = page.locator("nav[aria-label='Agents by state'] [aria-current]");
    assert.strictEqual(await current.count(), 1);
  });

  it("[dashboard.agents.keyboard] j, Enter and Shift+P reach, open, pause and resume an agent", async () => {
    const page = await screens.open("/agents");
    await row(page, "atlas").waitFor();
    await page.keyboard.press("j");
    assert.strictEqual(await page.evaluate("document.activeElement.dataset.item"), "atlas");
    await page.keyboard.press("j");
    await page.keyboard.press("Shift+P");
    await page.getByText("nova paused").waitFor();
    const { body: paused } = await screens.call("GET", "/api/agents/nova");
    assert.isTrue(paused.paused);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "nova" }).waitFor();
    await part(page, "Now").getByText("Stopping: the agent was paused").waitFor();
    await page.keyboard.press("Shift+P");
    await page.getByText("nova resumed").waitFor();
    await part(page, /^Queue/)
      .getByText("Nova does this next")
      .waitFor();
    await part(page, "Recent runs").getByText("Failed and paused", { exact: true }).waitFor();
    await part(page, /^Tools/)
      .getByText(/[\d,]+ tokens/)
      .waitFor();
    await part(page, "Tool calls").getByRole("listitem").first().waitFor();
    await page.keyboard.press("Escape");
    await row(page, "nova").waitFor();
  });

  it("[dashboard.agents.refused] a refused pause is undone, with the API's message", async () => {
    const page = await screens.open("/agents/atlas");
    await page.getByRole("button", { name: /Pause/ }).waitFor();
    await page.route("**/api/agents/atlas", (route) =>
      route.request().method() === "PUT"
        ? route.fulfill({
            status: 409,
            contentType: "application/problem+json",
            body: JSON.stringify({
              status: 409,
              code: "in-use",
              title: "In use",
              detail: "Refused for a reason.",
            }),
          })
        : route.fallback(),
    );
    await page.getByRole("button", { name: /Pause/ }).click();
    await page.getByText("Refused for a reason.").first().waitFor();
    await page.getByRole("button", { name: /Pause/ }).waitFor();
    await page.goto(`${screens.server.url}/agents/nobody`);
    await page.getByRole("alert").waitFor();
  });

  it("[dashboard.accessible] agents and an agent are accessible: light and wide, dark and narrow", async () => {
    const page = await screens.open("/agents");
    // Colors do not depend on the width, so each theme is tested at one width.
    for (const [theme, size] of [
      ["light", "wide"],
      ["dark", "narrow"],
    ] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize(sizes[size]);
      await row(page, "nova").getByText("Nova works on this").waitFor();
      await assertAccessible(page);
      await shoot(page, `agents-${theme}-${size}`);
      await page.getByRole("link", { name: "nova", exact: true }).click();
      await part(page, "Tool calls").getByRole("listitem").first().waitFor();
      await part(page, "Recent runs").getByText("Nova failed this").waitFor();
      await assertAccessible(page);
      await shoot(page, `agent-${theme}-${size}`);
      const width = await page.evaluate("document.documentElement.scrollWidth");
      assert.isAtMost(Number(width), sizes[size].width);
      await page.keyboard.press("Escape");
    }
  });

  it("[dashboard.agents.queue] a long queue is folded, so that runs and calls stay in view", async () => {
    await Promise.all(
      Array.from({ length: 12 }, (_, at) => create(`Queued ${at}`, { assignedAgentId: "busy" })),
    );
    const page = await screens.open("/agents/busy");
    const queue = part(page, /^Queue/);
    await queue.getByRole("button", { name: "Show 4 more" }).waitFor();
    assert.strictEqual(await queue.getByRole("listitem").count(), 8);
    await queue.getByRole("button", { name: "Show 4 more" }).click();
    assert.strictEqual(await queue.getByRole("listitem").count(), 12);
  });

  it("[dashboard.agents.silent] the run of an agent whose host is gone is not shown as stopping", async () => {
    const page = await screens.open("/inbox");
    await page.route(/\/api\/agents\?/, async (route) => {
      const response = await route.fetch();
      const agents: ReadonlyArray<Record<string, unknown>> = await response.json();
      // The server's clock does not advance: the test changes the response so that the agent looks
      // silent.
      const json = agents.map((agent) =>
        agent["id"] === "scribe"
          ? { ...agent, activeRuns: 1, lastHeartbeatAt: "2026-01-01T00:00:00.000Z" }
          : agent,
      );
      await route.fulfill({ response, json });
    });
    await page.route(/\/api\/projects\/issues\?.*InProgress/, (route) =>
      route.fulfill({ json: [] }),
    );
    await page.goto(`${screens.server.url}/agents`);
    await row(page, "scribe")
      .getByText("Silent: its run has not reported that it stopped")
      .waitFor();
    await page.getByText("Heartbeat", { exact: true }).waitFor();
    await shoot(page, "agents-heads");
  });
});
