import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest";
import type { Page } from "playwright-core";
import { assertAccessible } from "../support/Axe.ts";
import { hasBrowser } from "../support/Browser.ts";
import { item, row, show } from "../support/Inbox.ts";
import { issuePages, type IssuePages } from "../support/IssuePages.ts";
import { type Screens, shoot, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];
let screens: Screens;
let pages: IssuePages;

/** Creates an issue that waits for a review. */
const reviewed = async (title: string, fields: object = {}) => {
  const { id } = await pages.create(title, fields);
  await pages.put(id, { status: "PendingReview" });
  return pages.get(id);
};

/** Records the writes of the page. */
const writesOf = (page: Page) => {
  const writes: Array<string> = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") writes.push(`${request.method()} ${request.url()}`);
  });
  return writes;
};

/** The server may have changed an issue before the browser has reported the request. */
const oneWrite = (writes: ReadonlyArray<string>) =>
  vi.waitFor(() => assert.lengthOf(writes, 1), { timeout: 10_000 });

const becomes = (id: string, fields: object, timeout = 10_000) =>
  vi.waitFor(async () => assert.deepInclude(await pages.get(id), fields), { timeout });

describe.runIf(hasBrowser)("undo", () => {
  beforeAll(async () => {
    screens = await start((end) => endings.unshift(end));
    pages = issuePages(screens);
  });
  afterAll(async () => {
    for (const end of endings) await end();
  });

  it("[dashboard.undo.approve] an approval is taken back before it is sent, and sent after 5 s without that", async () => {
    const { id, key } = await reviewed("Approved by mistake");
    const page = await screens.open("/inbox?kind=review&project=shop");
    await show(page, "Approved by mistake");
    const writes = writesOf(page);
    await page.keyboard.press("a");
    await row(page, "Approved by mistake").waitFor({ state: "detached" });
    await page.getByText(`Approving ${key}…`).waitFor();
    await page.keyboard.press("Control+z");
    await item(page, "Approved by mistake").waitFor();
    await page.getByText(`Approving ${key}…`).waitFor({ state: "detached" });
    assert.deepStrictEqual(writes, []);
    // The second approval is sent. The first would have been sent before it.
    await page.keyboard.press("a");
    await becomes(id, { status: "Resolved" });
    await oneWrite(writes);
    const { version } = await pages.get(id);
    assert.strictEqual(version, 3);
  });

  it("[dashboard.undo.approve] leaving the page sends an approval and a request for changes", async () => {
    const { id } = await reviewed("Left behind");
    const { id: other } = await reviewed("Left with a text");
    const page = await screens.open("/inbox?kind=review&project=shop");
    await show(page, "Left behind");
    await page.keyboard.press("a");
    await row(page, "Left behind").waitFor({ state: "detached" });
    await show(page, "Left with a text");
    await page.keyboard.press("r");
    await page.keyboard.type("Add a test");
    await page.keyboard.press("Control+Enter");
    await row(page, "Left with a text").waitFor({ state: "detached" });
    await page.goto("about:blank");
    await becomes(id, { status: "Resolved" }, 4_000);
    await becomes(other, { status: "Open" }, 4_000);
    await vi.waitFor(async () => {
      const { body } = await screens.call("GET", `/api/projects/issues/${other}/comments`);
      assert.lengthOf(body, 1);
    }, 10_000);
  });

  it("[dashboard.undo.changes] a request for changes that is taken back keeps its text", async () => {
    const { id, key } = await reviewed("Sent back by mistake");
    const page = await screens.open("/inbox?kind=review&project=shop");
    await show(page, "Sent back by mistake");
    const writes = writesOf(page);
    await page.keyboard.press("r");
    await page.keyboard.type("Too hasty");
    await page.keyboard.press("Control+Enter");
    await page.getByText(`Requesting changes to ${key}…`).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    const text = item(page, "Sent back by mistake").getByRole("textbox");
    await text.waitFor();
    assert.strictEqual(await text.inputValue(), "Too hasty");
    await page.goto(`${screens.server.url}/issues/${id}`);
    await page.getByRole("heading", { name: "Activity" }).waitFor();
    const again = page.getByRole("textbox", { name: "What needs to change?" });
    await page.keyboard.press("Shift+O");
    await again.fill("Once more");
    await page.keyboard.press("Control+Enter");
    await page.getByText(`Requesting changes to ${key}…`).waitFor();
    await page.keyboard.press("Control+z");
    await page.getByRole("button", { name: "Status In review" }).waitFor();
    await page.keyboard.press("Shift+O");
    await again.waitFor();
    assert.strictEqual(await again.inputValue(), "Once more");
    assert.deepStrictEqual(writes, []);
  });

  it("[dashboard.undo.bulk] several items are resolved together, and taken back together", async () => {
    const all = [await reviewed("Both of them, one"), await reviewed("Both of them, two")];
    const page = await screens.open("/inbox?kind=review&project=shop");
    const writes = writesOf(page);
    for (const { title } of all) await page.getByRole("checkbox", { name: title }).check();
    await page.keyboard.press("e");
    await page.getByText("Resolving 2 issues…").waitFor();
    await shoot(page, "undo");
    await row(page, "Both of them").first().waitFor({ state: "detached" });
    await page.keyboard.press("Control+z");
    await row(page, "Both of them, two").waitFor();
    assert.deepStrictEqual(writes, []);
    for (const { title } of all) await page.getByRole("checkbox", { name: title }).check();
    await page.keyboard.press("e");
    for (const { id } of all) await becomes(id, { status: "Resolved" });
    await oneWrite(writes);
  });

  it("[dashboard.undo.assign] an assignment is undone, unless an agent acted on it: then the page says who did what", async () => {
    const { id, key } = await pages.create("Assigned by mistake");
    const page = await pages.openIssue(id);
    const assign = async (agent: string) => {
      await page.keyboard.press("i");
      await page.getByRole("combobox").waitFor();
      await page.keyboard.type(agent);
      await page.keyboard.press("Enter");
      await page.getByText(`Assigned ${key}`, { exact: true }).waitFor();
      await becomes(id, { assignedAgentId: agent });
    };
    await assign("nova");
    await page.keyboard.press("Control+z");
    await becomes(id, { assignedAgentId: null });
    await assign("mira");
    await screens.call("POST", "/api/agents/mira/heartbeat", {});
    await becomes(id, { status: "InProgress" });
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText(`${key} stays as it is: mira started to work on it.`).first().waitFor();
    await shoot(page, "undo-refused");
    assert.deepInclude(await pages.get(id), { assignedAgentId: "mira", status: "InProgress" });
  });

  it("[dashboard.undo.move] a move to another project is undone: the issue has its earlier key again", async () => {
    const { id, key } = await pages.create("Moved by mistake");
    const { body: harbor } = await screens.call("POST", "/api/projects", { id: "harbor" });
    assert.strictEqual(harbor.id, "harbor");
    const page = await pages.openIssue(key);
    await page.getByRole("button", { name: "Actions" }).click();
    await page.getByRole("menuitem", { name: "Move to another project" }).click();
    await page.getByRole("option", { name: "harbor" }).click();
    await page.getByText("Moved HARBOR-1 to harbor", { exact: true }).waitFor();
    await becomes(id, { projectId: "harbor", key: "HARBOR-1" });
    await page.getByRole("button", { name: "Undo" }).click();
    await becomes(id, { projectId: "shop", key });
    await page.getByText(key).first().waitFor();
  });

  it("[dashboard.undo.label] labels of several issues are undone together, and Ctrl+Z in a text belongs to the text", async () => {
    const ids = [
      (await pages.create("Labeled one")).id,
      (await pages.create("Labeled two", { labels: ["old"] })).id,
    ];
    const page = await screens.open("/work?view=list&q=labeled");
    for (const name of ["Labeled one", "Labeled two"]) {
      await page.getByRole("article", { name }).focus();
      await page.keyboard.press("x");
    }
    await page.keyboard.press("l");
    await page.getByRole("combobox", { name: "Label" }).fill("new");
    await page.keyboard.press("Enter");
    await page.getByText("Labeled 2 issues").waitFor();
    await assertAccessible(page);
    for (const id of ids) {
      await vi.waitFor(async () => assert.include((await pages.get(id)).labels, "new"), 10_000);
    }
    await page.getByLabel("Find in issues").focus();
    await page.keyboard.press("Control+z");
    for (const id of ids) assert.include((await pages.get(id)).labels, "new");
    await page.getByRole("article", { name: "Labeled one" }).focus();
    await page.keyboard.press("Control+z");
    await becomes(ids[0] ?? "", { labels: [] });
    await becomes(ids[1] ?? "", { labels: ["old"] });
  });

  it("[dashboard.undo.order] a change that follows a held one is sent after it", async () => {
    const { id, key } = await pages.create("Resolved, then reopened");
    const page = await pages.openIssue(id);
    await page.keyboard.press("Shift+R");
    await page.getByText(`Resolving ${key}…`).waitFor();
    await page.keyboard.press("p");
    await page.getByRole("combobox").waitFor();
    await page.keyboard.type("High");
    await page.keyboard.press("Enter");
    await becomes(id, { status: "Resolved", priority: "high", version: 3 }, 4_000);
  });
});
