import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { hasBrowser } from "../support/Browser.ts";
import { assertAccessible, type Screens, shoot, start } from "../support/Screens.ts";

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
    await log(3, [{ stream: "stdout", text: "last\n" }]);
    await page.getByText("5003 lines").waitFor();
    assert.strictEqual(await list.getByText("last", { exact: true }).count(), 0);
    await page.getByRole("button", { name: "Follow", exact: true }).click();
    await list.getByText("last", { exact: true }).waitFor();
  });

  it("[page.run.overdue] a run whose lease expired says so on its page and on its agent's", async () => {
    const { open } = screens;
    const { run } = await started("Left alone");
    const page = await open("/inbox");
    const now = await page.evaluate<number>("Date.now()");
    const leaseExpiresAt = new Date(now - 14.5 * 60_000).toISOString();
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

  it("[page.run] at 390 pixels and in the dark, the log comes first and the facts below it", async () => {
    const { open } = screens;
    const { run } = await started("Narrow");
    const page = await open(`/runs/${run.runId}`, { size: "narrow", theme: "dark" });
    await page.getByText("half a").waitFor();
    await shoot(page, "run-narrow");
    await assertAccessible(page);
  });
});
