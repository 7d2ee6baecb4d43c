import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { hasBrowser } from "../support/Browser.ts";
import { type IssuePages, issuePages } from "../support/IssuePages.ts";
import { assertAccessible, type Screens, shoot, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];
let screens: Screens;
let pages: IssuePages;

describe.runIf(hasBrowser)("the actions of an issue", () => {
  beforeAll(async () => {
    screens = await start((end) => endings.unshift(end));
    pages = issuePages(screens);
  });
  afterAll(async () => {
    for (const end of endings) await end();
  });

  it("[dashboard.issue.actions] work is sent back, approved, deferred, closed by force and deleted", async () => {
    const { id } = await pages.create("Handed in");
    await pages.create("Waits for it", { blockedByIssueId: id });
    await screens.call("PUT", `/api/projects/issues/${id}`, { status: "PendingReview" });
    const page = await pages.openIssue(id);
    const side = page.getByRole("complementary");
    await page.keyboard.press("Shift+O");
    await page.getByLabel("What is to be changed?").fill("Add a test");
    await page.keyboard.press("Control+Enter");
    await side.getByRole("button", { name: "Status Open" }).waitFor();
    await page.getByRole("listitem").filter({ hasText: "Add a test" }).waitFor();
    await page.keyboard.press("d");
    await page.getByRole("button", { name: "Tomorrow" }).click();
    await side.getByText("deferred until").waitFor();
    await page.keyboard.press("m");
    await page.getByRole("menuitem", { name: "Close…" }).waitFor();
    await shoot(page, "menu-actions");
    await page.getByRole("menuitem", { name: "Close…" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "Waits for it" }).waitFor();
    await assertAccessible(page);
    await shoot(page, "close");
    await page.getByRole("button", { name: "Close by force" }).click();
    await side.getByRole("button", { name: "Status Closed" }).waitFor();
    await page.getByRole("button", { name: "Actions" }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await page.getByRole("button", { name: "Delete for good" }).click();
    await page.getByRole("heading", { name: "Work" }).waitFor();
    assert.strictEqual((await pages.get(id)).status, 404);
  });

  it("[dashboard.issue.question] a question is answered by an option, and in words", async () => {
    const { id } = await pages.create("Asks");
    const ask = (body: object) =>
      screens.call("POST", `/api/projects/issues/${id}/questions`, body);
    await ask({ prompt: "Which region?", kind: "choice", options: ["eu", "us"] });
    const page = await pages.openIssue(id);
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
});
