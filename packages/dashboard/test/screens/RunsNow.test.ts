import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest";
import { assertAccessible } from "../support/Axe.ts";
import { hasBrowser } from "../support/Browser.ts";
import { row } from "../support/Inbox.ts";
import * as McpServer from "../support/McpServer.ts";
import { type Screens, shoot, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];

describe.runIf(hasBrowser)("watching runs", { timeout: 90_000 }, () => {
  let screens: Screens;
  beforeAll(async () => {
    screens = await start((end) => endings.unshift(end));
  }, 60_000);
  afterAll(async () => {
    for (const end of endings) await end();
  });

  /** A live run of the agent. */
  const started = async (agentId: string, title: string, heartbeat: object = {}) => {
    const { call } = screens;
    await call("POST", "/api/projects/shop/issues", { title, assignedAgentId: agentId });
    const { body } = await call("POST", `/api/agents/${agentId}/heartbeat`, {
      capacity: 1,
      ...heartbeat,
    });
    const [run] = body.started;
    assert.isDefined(run, title);
    const path = `/api/agents/${agentId}/runs/${run.runId}`;
    return {
      id: run.runId,
      issueId: run.issue.id,
      note: (note: string) => call("POST", `${path}/turn`, { note }),
      log: (from: number, text: string) =>
        call("POST", `${path}/log`, { from, entries: [{ stream: "stdout", text }] }),
    };
  };

  it("[page.run.now] the overview shows notes, lines and stops of several runs long before it polls", async () => {
    const { call, open } = screens;
    const names = ["ida", "jon", "kim"];
    const runs = [];
    for (const name of names) runs.push(await started(name, `Work of ${name}`));
    const page = await open("/overview");
    const now = page.getByRole("region", { name: "Now" });
    const of = (name: string) => now.getByRole("listitem").filter({ hasText: `Work of ${name}` });
    for (const name of names) await of(name).waitFor();
    const soon = { timeout: 5_000 };
    for (const [index, name] of names.entries()) {
      await runs[index]!.note(`Reading for ${name}`);
      await of(name).getByText(`Reading for ${name}`).waitFor(soon);
      await runs[index]!.log(1, `line of ${name}\n`);
      await of(name).getByText(`line of ${name}`, { exact: true }).waitFor(soon);
      await runs[index]!.log(2, `next of ${name}\n`);
      await of(name).getByText(`next of ${name}`, { exact: true }).waitFor(soon);
    }
    await shoot(page, "overview-now");
    await assertAccessible(page);
    await call("POST", `/api/projects/issues/${runs[0]!.issueId}/pause`, {});
    await of("ida").getByText("Stopping: the issue was paused").waitFor(soon);
    await call("PUT", "/api/agents/jon", { paused: true });
    await of("jon").getByText("Stopping: the agent was paused").waitFor(soon);
    await of("kim")
      .getByRole("link", { name: /^\d+[sm]$/ })
      .click();
    await page.waitForURL(`**/runs/${runs[2]!.id}`);
  });

  it("[page.run.download] the log is downloaded as text without colors, whatever is searched", async () => {
    const { open } = screens;
    const run = await started("pia", "Downloaded");
    const many = Array.from({ length: 12_000 }, (_, index) => `${index}`).join("\n");
    await run.log(1, `\u001b[31mred\u001b[0m\n${many}\n`);
    const page = await open(`/runs/${run.id}`);
    await page.getByText("12,001 lines").waitFor();
    await page.getByLabel("Find in the log").fill("red");
    await page.getByText("1 of 12,001 lines").waitFor();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download" }).click();
    const file = await saved;
    assert.strictEqual(file.suggestedFilename(), `${run.id}.log`);
    const chunks: Array<Buffer> = [];
    for await (const chunk of await file.createReadStream()) chunks.push(chunk);
    assert.strictEqual(Buffer.concat(chunks).toString(), `red\n${many}\n`);
  });

  it("[page.run.hidden] a hidden tab does not wait for entries of a log, and reads them once it is visible", async () => {
    const { open } = screens;
    const run = await started("oda", "Hidden");
    await run.log(1, "first\n");
    const page = await open("/inbox");
    const waiting = new Set<string>();
    const isRead = (url: string) => url.includes("/log?") && url.includes("waitSeconds");
    page.on("request", (request) => isRead(request.url()) && waiting.add(request.url()));
    const over = (request: { url(): string }) => waiting.delete(request.url());
    page.on("requestfailed", over);
    page.on("requestfinished", over);
    await page.goto(`${screens.server.url}/runs/${run.id}`);
    const list = page.getByRole("list", { name: "Lines of the log" });
    await list.getByText("first", { exact: true }).waitFor();
    const show = (state: "hidden" | "visible") =>
      page.evaluate(`
        Object.defineProperty(document, "visibilityState", { value: "${state}", configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));`);
    await vi.waitFor(() => assert.strictEqual(waiting.size, 1), 10_000);
    await show("hidden");
    await vi.waitFor(() => assert.strictEqual(waiting.size, 0), 10_000);
    await run.log(2, "second\n");
    await page.waitForTimeout(500);
    assert.strictEqual(waiting.size, 0);
    assert.strictEqual(await list.getByText("second", { exact: true }).count(), 0);
    await show("visible");
    await list.getByText("second", { exact: true }).waitFor();
  });

  it("[page.run.now] the list of agents shows the note and the last line of each", async () => {
    const { open } = screens;
    const run = await started("lea", "Watched in the list");
    const page = await open("/agents");
    const row = page.getByRole("article", { name: "lea" });
    await row.getByText("Watched in the list").waitFor();
    await run.note("Counting tiles");
    await row.getByText("Counting tiles").waitFor({ timeout: 5_000 });
    await run.log(1, "42 tiles\n");
    await row.getByText("42 tiles").waitFor({ timeout: 5_000 });
    await assertAccessible(page);
  });

  it("[page.run.lost] the list of agents, the agent and the issue say that a lease expired, and what comes next", async () => {
    const { open } = screens;
    const run = await started("max", "Left behind", { leaseSeconds: 5 });
    await new Promise((resolve) => setTimeout(resolve, 5_500));
    const text = /^Lease expired \d+[sm] ago; the next heartbeat picks it up/;
    const page = await open("/agents");
    await page.getByRole("article", { name: "max" }).getByText(text).waitFor();
    await assertAccessible(page);
    await page.goto(`${screens.server.url}/agents/max`);
    const current = page.getByRole("listitem").filter({ hasText: "Left behind" }).first();
    await current.getByText(text).waitFor();
    await page.goto(`${screens.server.url}/issues/${run.issueId}`);
    await page.getByRole("complementary", { name: "Properties" }).getByText(text).waitFor();
    await shoot(page, "issue-lost");
    await assertAccessible(page);
  });

  it("[page.run.effects] the note for a call whose reply was lost is one draft on the run, the issue and the inbox", async () => {
    const { call, open } = screens;
    const server = await McpServer.install(
      screens,
      "purse",
      ["pay", "refund"].map((name) => ({ name, inputSchema: { type: "object" } })),
      (end) => endings.unshift(end),
      (_, response) => void response.destroy(),
    );
    await server.call("PUT", "", { once: [{ tools: ["*"] }] });
    await server.verify(true);
    await server.call("POST", "/enable");
    await server.call("PUT", "/access", { entries: [{ agentId: "ned", granted: true }] });
    const run = await started("ned", "Pays from a purse");
    const { body } = await call("GET", "/api/agents/ned/tools");
    for (const { name } of body.tools) {
      await call("POST", "/api/agents/ned/tools/call", { name, arguments: {}, runId: run.id });
    }
    const page = await open("/inbox?kind=effectUnknown");
    const lost = (tool: string) => row(page, /Unknown call/).filter({ hasText: `purse/${tool}` });
    const note = async (tool: string) => {
      await lost(tool).click();
      await page
        .getByRole("article")
        .filter({ hasText: `purse/${tool}` })
        .waitFor();
      return page.getByRole("article").getByRole("textbox");
    };
    await (await note("pay")).fill("Paid at 10:34.");
    await (await note("refund")).fill("No refund.");
    await page.reload();
    for (const [tool, text] of [
      ["pay", "Paid at 10:34."],
      ["refund", "No refund."],
    ] as const) {
      assert.strictEqual(await (await note(tool)).inputValue(), text);
    }
    for (const path of [`runs/${run.id}`, `issues/${run.issueId}`]) {
      await page.goto(`${screens.server.url}/${path}`);
      const lost = page.getByRole("region", { name: "Reply lost: purse/pay" });
      await lost.getByRole("textbox").waitFor();
      assert.strictEqual(await lost.getByRole("textbox").inputValue(), "Paid at 10:34.");
    }
    await page.goto(`${screens.server.url}/inbox?kind=effectUnknown`);
    await note("pay");
    await page.getByRole("button", { name: "It happened" }).click();
    await lost("pay").waitFor({ state: "detached" });
    assert.strictEqual(await (await note("refund")).inputValue(), "No refund.");
  });
});
