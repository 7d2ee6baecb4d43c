import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest";
import type { Locator } from "playwright-core";
import { json } from "../../../mcp/test/support/HttpFixture.ts";
import { assertAccessible } from "../support/Axe.ts";
import { hasBrowser } from "../support/Browser.ts";
import { row } from "../support/Inbox.ts";
import * as McpServer from "../support/McpServer.ts";
import { type Screens, shoot, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];

describe.runIf(hasBrowser)("the page of a run", { timeout: 90_000 }, () => {
  let screens: Screens;
  beforeAll(async () => {
    screens = await start((end) => endings.unshift(end));
  }, 60_000);
  afterAll(async () => {
    for (const end of endings) await end();
  });

  /** A live run of the agent `ada` with one entry in its log. */
  const started = async (title: string) => {
    const { call } = screens;
    await call("POST", "/api/projects/shop/issues", { title, assignedAgentId: "ada" });
    const { body } = await call("POST", "/api/agents/ada/heartbeat", { capacity: 1 });
    const [run] = body.started;
    const log = (from: number, entries: ReadonlyArray<object>) =>
      call("POST", `/api/agents/ada/runs/${run.runId}/log`, { from, entries });
    await log(1, [{ stream: "stdout", text: "one\n\u001b[31mtwo\u001b[0m\nhalf a " }]);
    return { run, log };
  };

  /** Grants `ada` the tools of a server, and returns a function that calls one for a run. */
  const granted = async (
    name: string,
    tools: ReadonlyArray<string>,
    onCall: Parameters<typeof McpServer.install>[4],
    fields: object = {},
  ) => {
    const { call } = screens;
    const server = await McpServer.install(
      screens,
      name,
      tools.map((tool) => ({ name: tool, inputSchema: { type: "object" } })),
      (end) => endings.unshift(end),
      onCall,
    );
    await server.call("PUT", "", fields);
    await server.verify(true);
    await server.call("POST", "/enable");
    await server.call("PUT", "/access", { entries: [{ agentId: "ada", granted: true }] });
    return async (runId: string, tool: string) => {
      const found = await vi.waitFor(async () => {
        const { body, text } = await call("GET", "/api/agents/ada/tools");
        const one = body.tools.find(
          (listed: { readonly server: string; readonly tool: string }) =>
            listed.server === name && listed.tool === tool,
        );
        assert.isDefined(one, text);
        return one;
      }, 10_000);
      await call("POST", "/api/agents/ada/tools/call", {
        name: found.name,
        arguments: { amount: 7 },
        runId,
      });
    };
  };

  it("[page.run] shows output as it comes, with its colors and streams, until the run ends", async () => {
    const { call, open } = screens;
    const { log, run } = await started("Mend the roof");
    await call("POST", `/api/agents/ada/runs/${run.runId}/turn`, { note: "Looking at the tiles" });
    const page = await open(`/runs/${run.runId}`);
    const lines = page.getByRole("list", { name: "Lines of the log" }).getByRole("listitem");
    await lines.filter({ hasText: "half a" }).waitFor();
    assert.strictEqual(await page.locator('[data-color="1"]').textContent(), "two");
    await page.getByText("Looking at the tiles").first().waitFor();
    await page.getByRole("link", { name: "Mend the roof" }).waitFor();
    const sentAt = performance.now();
    await log(2, [
      { stream: "stdout", text: "line\n" },
      { stream: "stderr", text: "broken\n" },
    ]);
    await lines.filter({ hasText: "broken" }).waitFor();
    assert.isBelow(performance.now() - sentAt, 3_000);
    assert.deepStrictEqual(
      (await lines.allTextContents()).map((text) => text.replace(/^\d+/, "")),
      ["one", "two", "half a line", "broken"],
    );
    await shoot(page, "run");
    await assertAccessible(page);
    await page.getByLabel("Find in the log").fill("LINE");
    await page.getByText("1 of 4 lines").waitFor();
    await call("POST", `/api/agents/ada/runs/${run.runId}/finish`, { outcome: "resolved" });
    await page.getByText("Resolved", { exact: true }).waitFor();
  });

  it("[page.run.follow] follows the end of a long log until the user scrolls up", async () => {
    const { open } = screens;
    const { log, run } = await started("Count");
    const many = Array.from({ length: 5_000 }, (_, index) => `line ${index}`).join("\n");
    await log(2, [{ stream: "stdout", text: `${many}\n` }]);
    const page = await open(`/runs/${run.runId}`);
    const list = page.getByRole("list", { name: "Lines of the log" });
    await list.getByText("line 4999", { exact: true }).waitFor();
    await list.hover();
    await page.mouse.wheel(0, -4_000);
    await page.getByRole("button", { name: "Follow", exact: true }).waitFor();
    // The wheel scrolls in several frames.
    await list.getByText("line 4999", { exact: true }).waitFor({ state: "detached" });
    await log(3, [{ stream: "stdout", text: "last\n" }]);
    await page.getByText("5,003 lines").waitFor();
    assert.strictEqual(await list.getByText("last", { exact: true }).count(), 0);
    await page.getByRole("button", { name: "Follow", exact: true }).click();
    await list.getByText("last", { exact: true }).waitFor();
  });

  it("[page.run.follow] a slow movement away from the end of a log that grows is not taken back", async () => {
    const { log, run } = await started("Counts on");
    const many = Array.from({ length: 500 }, (_, index) => `line ${index}`).join("\n");
    await log(2, [{ stream: "stdout", text: `${many}\n` }]);
    const page = await screens.open(`/runs/${run.runId}`);
    const list = page.getByRole("list", { name: "Lines of the log" });
    await list.getByText("line 499", { exact: true }).waitFor();
    await list.hover();
    await page.mouse.wheel(0, -8);
    await page.getByRole("button", { name: "Follow", exact: true }).waitFor();
    const place = () =>
      list.evaluate((element) => {
        const { clientHeight, scrollHeight, scrollTop } = element.parentElement!;
        return { scrollTop, left: scrollHeight - scrollTop - clientHeight };
      });
    const before = await place();
    await log(3, [{ stream: "stdout", text: "last\n" }]);
    await page.getByText("503 lines").waitFor();
    const after = await place();
    assert.strictEqual(after.scrollTop, before.scrollTop);
    assert.isAbove(after.left, before.left);
    // Back at the end it follows again.
    await page.mouse.wheel(0, 100);
    await page.getByRole("button", { name: "Follow", exact: true }).waitFor({ state: "detached" });
  });

  /** The place of an element that has stopped to move: the rows above it are measured as they appear. */
  const settled = async (element: Locator) => {
    let place = await element.boundingBox();
    for (let former = null; JSON.stringify(place) !== JSON.stringify(former);) {
      former = place;
      await sleep(200);
      place = await element.boundingBox();
    }
    return place;
  };

  it("[page.run.follow] a log of a million lines scrolls to its end, and stays where it is while a block opens", async () => {
    const { open } = screens;
    const { log, run } = await started("Counts far");
    const short = "x\n".repeat(125_000);
    for (let from = 2; from < 6; from++) await log(from, [{ stream: "stderr", text: short }]);
    const block = Array.from({ length: 20 }, (_, index) => `said ${index}`).join("\n");
    await log(6, [{ stream: "host", text: `${block}\n` }]);
    for (let from = 7; from < 11; from++) await log(from, [{ stream: "stderr", text: short }]);
    await log(11, [{ stream: "stderr", text: `${"wide ".repeat(200)}\nthe end\n` }]);
    const page = await open(`/runs/${run.runId}`);
    const list = page.getByRole("list", { name: "Lines of the log" });
    await page.getByText("1,000,006 of 1,000,025 lines").waitFor({ timeout: 60_000 });
    await list.getByText("the end", { exact: true }).waitFor();
    const head = list.getByRole("button", { name: "19 more lines" });
    // A render before the event of the scrolling may scroll back to the end, which the log still follows.
    await vi.waitFor(
      async () => {
        await list.evaluate((element) => {
          element.parentElement!.scrollTop = element.parentElement!.scrollHeight / 2;
        });
        await head.waitFor({ timeout: 3_000 });
      },
      { timeout: 15_000 },
    );
    await head.scrollIntoViewIfNeeded();
    const before = await settled(head);
    await head.click();
    await list.getByText("said 19", { exact: true }).waitFor();
    const after = await list.getByRole("button", { name: "Less" }).boundingBox();
    assert.approximately(after!.y, before!.y, 24);
    await shoot(page, "run-far");
  });

  it("[page.run.overdue] a run whose lease expired says so on its page and on its agent's", async () => {
    const { open } = screens;
    const { run } = await started("Left alone");
    const page = await open("/inbox");
    const now = await page.evaluate<number>("Date.now()");
    const leaseExpiresAt = new Date(now - 14.1 * 60_000).toISOString();
    // The server's clock does not advance: the test changes the responses.
    await page.route(/\/api\/(agents\/ada\/)?runs(\/[^/?]+)?(\?|$)/, async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      const aged = (one: { readonly id: string }) =>
        one.id === run.runId ? { ...one, leaseExpiresAt } : one;
      await route.fulfill({ response, json: Array.isArray(body) ? body.map(aged) : aged(body) });
    });
    const text = "Lease expired 14m ago; the next heartbeat picks it up";
    await page.goto(`${screens.server.url}/runs/${run.runId}`);
    await page.getByText(text).waitFor();
    await page.goto(`${screens.server.url}/agents/ada`);
    const current = page.getByRole("listitem").filter({ hasText: "Left alone" });
    await current.getByText(text).waitFor();
    assert.strictEqual(await current.getByText("Running", { exact: true }).count(), 0);
    await shoot(page, "agent-overdue");
    await assertAccessible(page);
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });

  it("[page.run.linked] the agent of a live run on the board and in the list opens the run", async () => {
    const { open } = screens;
    const { run } = await started("Followed");
    for (const view of ["board", "list"]) {
      const page = await open(`/work?view=${view}`);
      const issue = page.locator("[data-issue]").filter({ hasText: "Followed" });
      await issue.getByRole("link", { name: "ada" }).click();
      await page.waitForURL(`**/runs/${run.runId}`);
    }
  });

  it("[page.run.lost] the board, the list and the issue say that the lease of the last run expired", async () => {
    const { open } = screens;
    const { run } = await started("Lost on the way");
    const page = await open("/inbox");
    const now = await page.evaluate<number>("Date.now()");
    const leaseExpiresAt = new Date(now - 14.1 * 60_000).toISOString();
    // The server's clock does not advance: the test changes the responses.
    await page.route(/\/api\/runs\?/, async (route) => {
      const response = await route.fetch();
      const runs: ReadonlyArray<{ readonly id: string }> = await response.json();
      const aged = runs.map((one) => (one.id === run.runId ? { ...one, leaseExpiresAt } : one));
      await route.fulfill({ response, json: aged });
    });
    await page.route(/\/api\/projects\/issues\?/, async (route) => {
      const response = await route.fetch();
      const issues: ReadonlyArray<{ readonly title: string }> = await response.json();
      const json = issues.map((one) =>
        one.title === "Lost on the way" ? { ...one, liveRun: null } : one,
      );
      await route.fulfill({ response, json });
    });
    const text = "Lease expired 14m ago; the next heartbeat picks it up";
    for (const view of ["board", "list"]) {
      await page.goto(`${screens.server.url}/work${view === "list" ? "?view=list" : ""}`);
      const issue = page.locator("[data-issue]").filter({ hasText: "Lost on the way" });
      await issue.getByRole("link", { name: text }).waitFor();
      await shoot(page, `lost-${view}`);
      await assertAccessible(page);
    }
    await page.goto(`${screens.server.url}/issues/${run.issue.id}`);
    const item = page.getByRole("listitem").filter({ hasText: "worked on it" });
    await item.getByText(text).waitFor();
    await shoot(page, "lost-issue");
    await item.getByRole("link").click();
    await page.waitForURL(`**/runs/${run.runId}`);
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });

  it("[page.run.last-line] the page of an agent shows the note and the last line of what it does now", async () => {
    const { call, open } = screens;
    const { log, run } = await started("Watched");
    await call("POST", `/api/agents/ada/runs/${run.runId}/turn`, { note: "Counting the tiles" });
    const page = await open("/agents/ada");
    const current = page.getByRole("listitem").filter({ hasText: "Watched" });
    await current.getByText("Counting the tiles").waitFor();
    await current.getByText("half a", { exact: true }).waitFor();
    await log(2, [{ stream: "stdout", text: "line\n\u001b[32m42 tiles\u001b[0m\n\n" }]);
    await current.getByText("42 tiles", { exact: true }).waitFor();
    await shoot(page, "agent-now");
  });

  it("[page.run.blocks] long entries of a host are folded, open one by one and together, and are searched", async () => {
    const { open } = screens;
    const { log, run } = await started("Talks a lot");
    const long = Array.from({ length: 20 }, (_, index) => `said ${index}`).join("\n");
    await log(2, [
      { stream: "stdout", text: "\n" },
      { stream: "host", text: `${long}\n` },
      { stream: "host", text: `${long.replaceAll("said", "told")}\n` },
      { stream: "stdout", text: `${"x".repeat(3_000)}\n` },
    ]);
    const page = await open(`/runs/${run.runId}`);
    const list = page.getByRole("list", { name: "Lines of the log" });
    await list.getByText("said 0").waitFor();
    await page.getByText("6 of 44 lines").waitFor();
    await shoot(page, "run-folded");
    await assertAccessible(page);
    await list.getByRole("button", { name: "19 more lines" }).first().click();
    await list.getByText("said 19", { exact: true }).waitFor();
    assert.strictEqual(await list.getByText("told 19", { exact: true }).count(), 0);
    await page.getByRole("button", { name: "Unfold all" }).click();
    await page.getByText("44 lines", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Unfold all" }).click();
    await list.getByRole("button", { name: "1000 more characters" }).click();
    await list.getByText("x".repeat(3_000)).waitFor();
    await page.getByLabel("Find in the log").fill("told 7");
    await list.getByText("told 7", { exact: true }).waitFor();
    await page.getByText("1 of 44 lines").waitFor();
  });

  it("[page.run.calls] a call has its outcome and its reason, and opens with its record", async () => {
    const { open } = screens;
    const use = await granted("tracker", ["search", "pay"], (_, response, message) => {
      const { id, params } = message!;
      const isPay = params?.["name"] === "pay";
      const text = isPay ? "The card was declined." : "Found 3 issues.";
      const result = { content: [{ type: "text", text }], isError: isPay };
      json(response, { jsonrpc: "2.0", id, result });
    });
    const { run } = await started("Calls tools");
    await use(run.runId, "search");
    await use(run.runId, "pay");
    const page = await open(`/runs/${run.runId}`);
    const timeline = page.getByRole("region", { name: "Timeline" });
    const failed = timeline.getByRole("listitem").filter({ hasText: "tracker/pay" });
    await failed.getByText("The card was declined.").waitFor();
    await failed.getByText("Error", { exact: true }).waitFor();
    await timeline
      .getByRole("listitem")
      .filter({ hasText: "tracker/search" })
      .getByText("OK")
      .waitFor();
    await failed.getByRole("button").click();
    await failed.getByRole("heading", { name: "Error" }).waitFor();
    await failed.getByText(/bytes sent/).waitFor();
    await shoot(page, "run-calls");
    await assertAccessible(page);
    await page.goto(`${screens.server.url}/agents/ada`);
    await page.getByText("The card was declined.").waitFor();
  });

  it("[page.run.calls] a recorded call opens with its arguments and its result, for Admins only", async () => {
    const { call, open } = screens;
    const text = "Shelf 9";
    const use = await granted(
      "depot",
      ["fetch"],
      (_, response, message) => {
        const result = { content: [{ type: "text", text }] };
        json(response, { jsonrpc: "2.0", id: message!.id, result });
      },
      { recordCalls: "all" },
    );
    const { run } = await started("Fetches");
    await use(run.runId, "fetch");
    const { body: key } = await call("POST", "/api/keys", { name: "Reader", role: "Viewer" });
    for (const look of [{ theme: "dark", size: "narrow" }, { key: key.key }] as const) {
      const page = await open(`/runs/${run.runId}`, look);
      const item = page.getByRole("listitem").filter({ hasText: "depot/fetch" });
      await item.getByRole("button").click();
      if ("key" in look) {
        await item.getByText("The arguments and the result are shown to Admins.").waitFor();
        assert.strictEqual(await item.getByRole("heading").count(), 0);
        continue;
      }
      await item.getByLabel("Arguments").getByText('"amount": 7').waitFor();
      await item.getByLabel("Result").getByText(text).waitFor();
      await item.getByLabel("Result").scrollIntoViewIfNeeded();
      await shoot(page, "run-record");
      await assertAccessible(page);
    }
  });

  it("[page.run.effects] a call whose reply was lost asks whether it happened, on the run and the issue", async () => {
    const { call, open } = screens;
    const use = await granted("bank", ["pay"], (_, response) => void response.destroy(), {
      once: [{ tools: ["pay"] }],
    });
    const { run } = await started("Pays once");
    await use(run.runId, "pay");
    const page = await open(`/runs/${run.runId}`);
    const lost = page.getByRole("region", { name: "Reply lost: bank/pay" });
    await lost.getByText("Did bank/pay happen?").waitFor();
    assert.isTrue(await lost.getByRole("button", { name: "It happened" }).isDisabled());
    await shoot(page, "run-effect");
    await assertAccessible(page);
    await page.goto(`${screens.server.url}/issues/${run.issue.id}`);
    await lost.getByRole("textbox").fill("The account shows it.");
    await shoot(page, "issue-effect");
    await lost.getByRole("button", { name: "It happened" }).click();
    await lost.waitFor({ state: "detached" });
    await page.getByText("1 call that happens once").click();
    await page.getByText("The account shows it.").waitFor();
    await page.getByText("settled a call: it happened").waitFor();
    const { body: effects } = await call("GET", `/api/projects/issues/${run.issue.id}/effects`);
    assert.strictEqual(effects[0].state, "done");
  });

  it("[dashboard.inbox.effect] [page.run.timeline] each call whose reply was lost is settled in the inbox, with a note", async () => {
    const { call, open } = screens;
    const use = await granted("till", ["pay", "refund"], (_, response) => void response.destroy(), {
      once: [{ tools: ["pay", "refund"] }],
    });
    const { run } = await started("Pays twice");
    await use(run.runId, "pay");
    await use(run.runId, "refund");
    const page = await open("/inbox?kind=effectUnknown");
    const lost = row(page, "Pays twice");
    const item = page.getByRole("article");
    const refund = lost.filter({ hasText: "till/refund" });
    await lost.nth(1).waitFor();
    await lost.filter({ hasText: "till/pay" }).click();
    await item.getByText("till/pay").first().waitFor();
    assert.strictEqual(await item.getByRole("textbox").inputValue(), "");
    await refund.click();
    await item.getByText("till/refund").first().waitFor();
    const yes = item.getByRole("button", { name: "It happened" });
    assert.isTrue(await yes.isDisabled());
    await item.getByRole("textbox").fill("The account shows it.");
    await shoot(page, "inbox-effect");
    await assertAccessible(page);
    // The server may carry the call out for another 90 s, so only one of the answers is accepted.
    await item.getByRole("button", { name: "It did not happen" }).click();
    await refund.getByText("Not saved").waitFor();
    await refund.click();
    await item.getByText("The server may still carry the call out.").waitFor();
    assert.strictEqual(await item.getByRole("textbox").inputValue(), "The account shows it.");
    await yes.click();
    await refund.waitFor({ state: "detached" });
    assert.strictEqual(await lost.count(), 1);
    await page.goto(`${screens.server.url}/runs/${run.runId}`);
    const timeline = page.getByRole("region", { name: "Timeline" }).getByRole("listitem");
    await timeline.filter({ hasText: "till/refund, once Happened" }).waitFor();
    await timeline.filter({ hasText: "till/pay, once Reply lost" }).waitFor();
    await shoot(page, "run-timeline");
    const { body } = await call("GET", `/api/projects/issues/${run.issue.id}/effects`);
    const states = body.map(({ state, tool }: Record<string, string>) => `${tool} ${state}`);
    assert.sameMembers(states, ["pay unknown", "refund done"]);
  });

  it("[page.usage] the run, the issue, the agent and the overview show tokens, cost and models", async () => {
    const { call, open } = screens;
    const { run } = await started("Costs money");
    const usage = [
      { key: "1", model: "model-a", inputTokens: 12_300, outputTokens: 450, costMicros: 1_250_000 },
    ];
    const { status, text } = await call("POST", `/api/agents/ada/runs/${run.runId}/usage`, {
      usage,
    });
    assert.strictEqual(status, 200, text);
    const page = await open(`/runs/${run.runId}`);
    for (const path of [`runs/${run.runId}`, `issues/${run.issue.id}`, "agents/ada"]) {
      await page.goto(`${screens.server.url}/${path}`);
      await page.getByText("12.3K in, 450 out").waitFor();
      await page.getByText("$1.25", { exact: true }).waitFor();
    }
    await page.goto(`${screens.server.url}/overview`);
    const panel = page.getByRole("region", { name: "Usage by model" });
    await panel.getByRole("row").filter({ hasText: "model-a" }).getByText("$1.25").waitFor();
    await assertAccessible(page);
  });

  it("[page.run] at 390 pixels and in the dark, the log comes first and the facts below it", async () => {
    const { open } = screens;
    const { run } = await started("Narrow");
    const page = await open(`/runs/${run.runId}`, { size: "narrow", theme: "dark" });
    await page.getByText("half a").waitFor();
    await shoot(page, "run-narrow");
    await assertAccessible(page);
  });
});
