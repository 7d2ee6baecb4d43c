import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest";
import type { Page } from "playwright-core";
import { hasBrowser } from "../support/Browser.ts";
import { assertAccessible, type Screens, seed, shoot, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];
let screens: Screens;

const entry = (page: Page, name: string) => page.getByRole("article", { name });

const create = async (title: string, fields: object = {}) =>
  (await screens.call("POST", "/api/projects/inbox/issues", { title, ...fields })).body;

const get = async (path: string) => (await screens.call("GET", path)).body;

/** Polls the server: an item leaves the list before its answer is saved. */
const saved = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 10_000 });

const ask = async (id: string, question: object) =>
  (await screens.call("POST", `/api/projects/issues/${id}/questions`, question)).body;

/** The agent claims the issue and hands it in. */
const work = async (agent: string, outcome: string, comment: string) => {
  const { body } = await screens.call("POST", `/api/agents/${agent}/heartbeat`, {});
  const [run] = body.started;
  const path = `/api/agents/${agent}/runs/${run.runId}/finish`;
  await screens.call("POST", path, { outcome, comment });
};

describe.runIf(hasBrowser)("items of the inbox", () => {
  beforeAll(async () => {
    screens = await start((end) => endings.unshift(end));
    await seed(screens);
  });
  afterAll(async () => {
    for (const end of endings) await end();
  });

  it("[dashboard.inbox.choose] a number chooses the option of the question that has the focus", async () => {
    const { id } = await create("Choose by number");
    const { id: question } = await ask(id, { prompt: "Which?", kind: "confirm" });
    const page = await screens.open("/inbox?project=inbox");
    await entry(page, "Choose by number").getByRole("button", { name: "Yes 1" }).waitFor();
    await entry(page, "Choose by number").focus();
    await page.keyboard.press("2");
    await entry(page, "Choose by number").waitFor({ state: "detached" });
    await saved(async () =>
      assert.strictEqual((await get(`/api/projects/questions/${question}`)).answer, "no"),
    );
  });

  it("[dashboard.inbox.words] items describe what happened, without names of the API and timestamps", async () => {
    await create("Fails in words", { assignedAgentId: "worded" });
    await work("worded", "failed", "I could not do it.");
    const root = await create("Deferred root", { notBefore: "2031-01-02T03:04:05.000Z" });
    await create("Waits in words", { blockedByIssueId: root.id });
    const page = await screens.open("/inbox");
    const earlier = (time: unknown) =>
      new Date(Date.parse(String(time)) - 48 * 60_000).toISOString();
    await page.route("**/api/inbox?*", async (route) => {
      const response = await route.fetch();
      const items: ReadonlyArray<Record<string, unknown>> = await response.json();
      // The server's clock does not advance: the test changes the response so that the agent looks
      // silent.
      const json = items.map((item) =>
        item["agentId"] === "scribe" && item["kind"] === "agentSilent"
          ? { ...item, agentId: "atlas", title: "atlas", since: earlier(item["since"]) }
          : item,
      );
      await route.fulfill({ response, json });
    });
    await page.reload();
    const silent = entry(page, "Silent agent: atlas");
    const time = silent.getByText("No heartbeat for 48m.").locator("time");
    assert.match((await time.getAttribute("title")) ?? "", /20\d\d/);
    const chain = entry(page, "Deferred root");
    await chain.scrollIntoViewIfNeeded();
    await chain
      .getByText(
        /^The issue blocks 1 issue\. It is deferred, and starts in \dy\. No agent is assigned\.$/,
      )
      .waitFor();
    const failed = entry(page, "Failed: Fails in words");
    await failed.scrollIntoViewIfNeeded();
    await failed.getByText(/^The last run failed\. Retry runs it again/).waitFor();
    await shoot(page, "words");
    const text = await page.getByRole("main").innerText();
    assert.notMatch(text, /assigned[A-Z]|notBefore|\d-\d\dT\d\d:/);
  });

  it("[dashboard.inbox.request] the text field of a request opens completely, even at the end of the window", async () => {
    await Promise.all(Array.from({ length: 6 }, (_, at) => create(`Reviewed ${at}`))).then((all) =>
      Promise.all(
        all.map(({ id }) =>
          screens.call("PUT", `/api/projects/issues/${id}`, { status: "PendingReview" }),
        ),
      ),
    );
    const page = await screens.open("/inbox?kind=review&project=inbox");
    const button = page.getByRole("button", { name: "Request changes" });
    await button.nth(5).waitFor();
    const box = await button.nth(5).boundingBox();
    // The item's buttons end at the lower edge of the window.
    await page.setViewportSize({ width: 1_440, height: Math.ceil((box?.y ?? 0) + 40) });
    await button.nth(5).click();
    const send = await page.getByRole("button", { name: "Cancel" }).boundingBox();
    const size = page.viewportSize();
    assert.isAtMost((send?.y ?? Infinity) + (send?.height ?? 0), (size?.height ?? 0) - 8);
    await shoot(page, "request");
  });

  it("[dashboard.accessible] an agent's code that is too wide can be scrolled by keyboard", async () => {
    await create("Prints a lot", { assignedAgentId: "printer" });
    await work("printer", "review", `\`\`\`\n${"a long line of output ".repeat(20)}\n\`\`\``);
    const page = await screens.open("/inbox?kind=review&project=inbox", { size: "narrow" });
    await entry(page, "Prints a lot").locator("pre").waitFor();
    await assertAccessible(page);
  });
});
