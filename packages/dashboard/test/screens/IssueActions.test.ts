import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest";
import { assertAccessible } from "../support/Axe.ts";
import { hasBrowser } from "../support/Browser.ts";
import { type IssuePages, issuePages } from "../support/IssuePages.ts";
import { type Screens, shoot, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];
let screens: Screens;
let pages: IssuePages;

/** Waits until the server has these fields. */
const waitForIssue = (id: string, fields: object) =>
  vi.waitFor(async () => assert.deepInclude(await pages.get(id), fields), { timeout: 10_000 });

describe.runIf(hasBrowser)("the actions of an issue", () => {
  beforeAll(async () => {
    screens = await start((end) => endings.unshift(end));
    pages = issuePages(screens);
  });
  afterAll(async () => {
    for (const end of endings) await end();
  });

  it("[dashboard.issue.actions] a person sends work back, approves, defers, closes and deletes it", async () => {
    const { id } = await pages.create("Handed in");
    await pages.create("Waits for it", { blockedByIssueId: id });
    await screens.call("PUT", `/api/projects/issues/${id}`, { status: "PendingReview" });
    const page = await pages.openIssue(id);
    const side = page.getByRole("complementary");
    await page.keyboard.press("Shift+O");
    await page.getByLabel("What needs to change?").fill("Add a test");
    await page.keyboard.press("Control+Enter");
    await side.getByRole("button", { name: "Status Open" }).waitFor();
    await page.getByRole("listitem").filter({ hasText: "Add a test" }).waitFor();
    await page.keyboard.press("d");
    await page.getByRole("button", { name: "Tomorrow" }).click();
    // The label of the property reads "Deferred until" before and after.
    await side.getByText("it is deferred until").waitFor();
    await page.keyboard.press("m");
    await page.getByRole("menuitem", { name: "Close…" }).waitFor();
    await shoot(page, "menu-actions");
    await page.getByRole("menuitem", { name: "Close…" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "Waits for it" }).waitFor();
    await assertAccessible(page);
    await shoot(page, "close");
    await page.getByRole("button", { name: "Close anyway" }).click();
    await side.getByRole("button", { name: "Status Closed" }).waitFor();
    await page.getByRole("button", { name: "Actions" }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await page.getByRole("button", { name: "Delete permanently" }).waitFor();
    await page.keyboard.press("Control+Enter");
    await page.getByRole("heading", { name: "Work" }).waitFor();
    assert.strictEqual((await pages.get(id)).status, 404);
  });

  it("[dashboard.issue.question] a question is answered by an option, and in words", async () => {
    const { id } = await pages.create("Asks");
    const ask = (body: object) =>
      screens.call("POST", `/api/projects/issues/${id}/questions`, body);
    await ask({ prompt: "Which **region**?", kind: "choice", options: ["eu", "us"] });
    const page = await pages.openIssue(id);
    await page
      .getByRole("region", { name: "Question" })
      .locator("strong")
      .getByText("region")
      .waitFor();
    await page.getByRole("button", { name: "us", exact: true }).click();
    await page.getByRole("region", { name: "Question" }).waitFor({ state: "detached" });
    await ask({ prompt: "What name?" });
    await page.getByLabel("Answer", { exact: true }).fill("Quill");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("listitem").filter({ hasText: "Quill" }).waitFor();
    const { body } = await screens.call("GET", `/api/projects/issues/${id}/questions`);
    assert.sameMembers(
      body.map(({ answer }: { readonly answer: string }) => answer),
      ["us", "Quill"],
    );
  });

  it("[dashboard.issue.pause] a running issue is paused and resumed by key, and retried after it failed", async () => {
    const { id } = await pages.create("Runs now", { assignedAgentId: "runner" });
    const { body } = await screens.call("POST", "/api/agents/runner/heartbeat", { capacity: 1 });
    const { runId } = body.started[0];
    const page = await pages.openIssue(id);
    const side = page.getByRole("complementary");
    await side.getByText("runner works on it now").waitFor();
    await page.keyboard.press("Shift+P");
    await side.getByText("Paused", { exact: true }).waitFor();
    await side.getByText("Paused: runner stops at its next turn").waitFor();
    await waitForIssue(id, { paused: true, pausedBecause: "person" });
    const turn = await screens.call("POST", `/api/agents/runner/runs/${runId}/turn`, {});
    assert.strictEqual(turn.body.action, "stop");
    await side.getByText("Not picked up: it is paused until a person resumes it").waitFor();
    await page.keyboard.press("Shift+P");
    await side.getByText("Paused", { exact: true }).waitFor({ state: "detached" });
    await waitForIssue(id, { paused: false });
    const again = await screens.call("POST", "/api/agents/runner/heartbeat", { capacity: 1 });
    await screens.call("POST", `/api/agents/runner/runs/${again.body.started[0].runId}/finish`, {
      outcome: "failed",
    });
    await page.getByRole("button", { name: "Retry" }).click();
    await side.getByText("Paused", { exact: true }).waitFor({ state: "detached" });
    await waitForIssue(id, { paused: false, attempts: 0 });
  });

  it("[dashboard.issue.defer] a deferral is set with a date, shown, and ended with Start now", async () => {
    const { id } = await pages.create("Waits for its day", { assignedAgentId: "late" });
    const page = await pages.openIssue(id);
    const side = page.getByRole("complementary");
    await page.keyboard.press("d");
    await page.getByLabel("Date and time").fill("2040-05-06T07:08");
    await assertAccessible(page);
    await page.getByRole("button", { name: "Defer", exact: true }).click();
    // The label of the property reads "Deferred until" before and after.
    await side.getByText("it is deferred until").waitFor();
    const { notBefore } = await pages.get(id);
    assert.match(notBefore, /^2040-05-0[567]T/);
    await page.getByRole("button", { name: "Start now" }).click();
    await side.getByText(/^Ready/).waitFor();
    await waitForIssue(id, { notBefore: null });
    await page.getByText("removed the deferral").waitFor();
    // An issue is delayed in the same way after two failed runs.
    for (const _ of [1, 2]) {
      const { body } = await screens.call("POST", "/api/agents/late/heartbeat", { capacity: 1 });
      const path = `/api/agents/late/runs/${body.started[0].runId}/finish`;
      await screens.call("POST", path, { outcome: "failed", retry: true });
    }
    assert.isString((await pages.get(id)).notBefore);
    await page.getByRole("button", { name: "Start now" }).click();
    await waitForIssue(id, { notBefore: null, status: "InProgress" });
  });

  it("[dashboard.issue.end] close and delete describe their effects, and Cancel does nothing", async () => {
    const { id } = await pages.create("Ends here", { assignedAgentId: "end" });
    const { id: after } = await pages.create("Comes after it", { blockedByIssueId: id });
    const page = await pages.openIssue(id);
    const dialog = page.getByRole("dialog");
    await page.keyboard.press("Shift+C");
    await dialog.getByText("If you close it anyway").waitFor();
    await dialog.getByText("agents start them although this work is not done").waitFor();
    assert.strictEqual(await dialog.getByRole("button", { name: "Close the issue" }).count(), 0);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.keyboard.press("m");
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await dialog.getByText("This permanently deletes the issue").waitFor();
    await dialog.getByText("1 link and 0 attachments").waitFor();
    await dialog.getByRole("link", { name: "Comes after it" }).waitFor();
    await assertAccessible(page);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    assert.strictEqual((await pages.get(id)).status, "Open");
    assert.strictEqual((await pages.get(after)).status, "WaitingOnDependency");
  });

  it("[dashboard.issue.approve] a review is approved by its key, and waiting issues become open", async () => {
    const { id } = await pages.create("Handed in well");
    const { id: after } = await pages.create("Waits for the review", { blockedByIssueId: id });
    await pages.put(id, { status: "PendingReview" });
    const page = await pages.openIssue(id);
    await page.getByRole("button", { name: "Approve" }).waitFor();
    await page.keyboard.press("Shift+R");
    await page.getByRole("button", { name: "Status Resolved" }).waitFor();
    await waitForIssue(id, { status: "Resolved" });
    await waitForIssue(after, { status: "Open" });
  });

  it("[dashboard.issue.withdraw] a question is withdrawn, and the issue is picked up again", async () => {
    const { id } = await pages.create("Asked too much", { assignedAgentId: "asker" });
    const path = `/api/projects/issues/${id}/questions`;
    await screens.call("POST", path, { prompt: "Is it needed?", kind: "confirm" });
    const page = await pages.openIssue(id);
    const side = page.getByRole("complementary");
    await side.getByText("a question waits for an answer").waitFor();
    await page.getByRole("button", { name: "Withdraw the question" }).click();
    await page.getByRole("region", { name: "Question" }).waitFor({ state: "detached" });
    await side.getByText(/^Ready/).waitFor();
    await page.getByRole("listitem").filter({ hasText: "withdrew a question" }).waitFor();
    assert.strictEqual((await screens.call("GET", path)).body[0].status, "withdrawn");
  });

  it("[dashboard.issue.graph] the links and a key lead to the graph of the issue", async () => {
    const { id } = await pages.create("Root of the graph");
    const { id: after } = await pages.create("Leaf of the graph", { blockedByIssueId: id });
    const page = await pages.openIssue(after);
    await page.getByRole("link", { name: "Show the graph" }).click();
    await page.getByRole("heading", { level: 1, name: "Graph" }).waitFor();
    assert.include(page.url(), `issue=${after}`);
    await page.goBack();
    await page.getByRole("heading", { name: "Activity" }).waitFor();
    await page.keyboard.press("Shift+G");
    await page.getByText("Root of the graph").first().waitFor();
  });

  it("[dashboard.issue.viewer] a Viewer sees all of an issue, cannot change it, and is shown the reason", async () => {
    const { id } = await pages.create("Read by many", { description: "All of it" });
    const path = `/api/projects/issues/${id}`;
    await screens.call("POST", `${path}/comments`, { content: "Said before" });
    await screens.call("POST", `${path}/questions`, { prompt: "Red?", kind: "confirm" });
    const { body } = await screens.call("POST", "/api/keys", { name: "Reader", role: "Viewer" });
    const page = await pages.openIssue(id, { key: body.key });
    for (const text of ["All of it", "Said before", "Red?", "Read only"]) {
      await page.getByText(text, { exact: true }).waitFor();
    }
    await page.getByText("You have the Viewer role").waitFor();
    await page.getByText("a question waits for an answer").waitFor();
    await assertAccessible(page);
    const main = page.getByRole("main");
    assert.strictEqual(await main.getByRole("textbox").count(), 0);
    const buttons = await main.getByRole("button").allInnerTexts();
    assert.sameMembers(buttons, ["All", "Comments", "Runs", "Changes"]);
    for (const key of ["e", "s", "d", "Shift+R", "Shift+C", "m", "r"]) {
      await page.keyboard.press(key);
    }
    assert.strictEqual(await page.getByRole("dialog").count(), 0);
    assert.strictEqual(await page.getByRole("menu").count(), 0);
  });

  it("[dashboard.issue.move] an issue moves to another project from its menu, and its earlier address still opens it", async () => {
    const { id, key } = await pages.create("Moved by hand");
    await screens.call("POST", "/api/projects", { id: "harbor" });
    const page = await pages.openIssue(key);
    await page.getByRole("button", { name: "Actions" }).click();
    await page.getByRole("menuitem", { name: "Move to another project" }).click();
    await page.getByRole("option", { name: "harbor" }).click();
    await page.getByText("HARBOR-1").first().waitFor();
    assert.strictEqual((await pages.get(id)).projectId, "harbor");
    await page.reload();
    await page.getByText("HARBOR-1").first().waitFor();
    await page.getByText("moved it to another project").waitFor();
  });
});
