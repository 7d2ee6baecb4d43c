import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest";
import { assertAccessible } from "../support/Axe.ts";
import { hasBrowser } from "../support/Browser.ts";
import { item as entry, row, show } from "../support/Inbox.ts";
import { type Screens, seed, shoot, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];
let screens: Screens;

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
    await show(page, "Choose by number");
    await entry(page, "Choose by number").getByRole("button", { name: "Yes 1" }).waitFor();
    await page.keyboard.press("2");
    await row(page, "Choose by number").waitFor({ state: "detached" });
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
    const silent = await show(page, /Silent agent/);
    const time = silent.getByText("No heartbeat for 48m.").locator("time");
    assert.match((await time.getAttribute("title")) ?? "", /20\d\d/);
    const texts = [await page.getByRole("main").innerText()];
    const chain = await show(page, "Deferred root");
    await chain
      .getByText(
        /^The issue blocks 1 issue\. It is deferred, and starts in \dy\. No agent is assigned\.$/,
      )
      .waitFor();
    texts.push(await page.getByRole("main").innerText());
    const failed = await show(page, "Fails in words");
    await failed.getByText(/^The last run failed\. Retry runs it again/).waitFor();
    await shoot(page, "words");
    texts.push(await page.getByRole("main").innerText());
    assert.notMatch(texts.join("\n"), /assigned[A-Z]|notBefore|\d-\d\dT\d\d:/);
  });

  it("[dashboard.inbox.request] the text field of a request opens completely, also in a low window", async () => {
    const { id } = await create("Reviewed", { description: "Long.\n\n".repeat(60) });
    await screens.call("PUT", `/api/projects/issues/${id}`, { status: "PendingReview" });
    const page = await screens.open("/inbox?kind=review&project=inbox");
    await page.setViewportSize({ width: 1_440, height: 480 });
    await show(page, "Reviewed");
    await page.keyboard.press("r");
    const send = await page.getByRole("button", { name: "Cancel" }).boundingBox();
    assert.isAtMost((send?.y ?? Infinity) + (send?.height ?? 0), 480 - 8);
    await shoot(page, "request");
  });

  it("[dashboard.accessible] an agent's code that is too wide can be scrolled by keyboard", async () => {
    await create("Prints a lot", { assignedAgentId: "printer" });
    await work("printer", "review", `\`\`\`\n${"a long line of output ".repeat(20)}\n\`\`\``);
    const page = await screens.open("/inbox?kind=review&project=inbox", { size: "narrow" });
    await (await show(page, "Prints a lot")).locator("pre").waitFor();
    await assertAccessible(page);
  });
});
