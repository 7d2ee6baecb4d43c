import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { hasBrowser } from "../support/Browser.ts";
import { type IssuePages, issuePages } from "../support/IssuePages.ts";
import { assertAccessible, type Screens, shoot, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];
let screens: Screens;
let pages: IssuePages;

describe.runIf(hasBrowser)("the texts of an issue", () => {
  beforeAll(async () => {
    screens = await start((end) => endings.unshift(end));
    pages = issuePages(screens);
  });
  afterAll(async () => {
    for (const end of endings) await end();
  });

  it("[dashboard.issue.edit] title and description are edited in place, and a conflict shows both versions", async () => {
    const { id } = await pages.create("Edited in place", { description: "First" });
    const page = await pages.openIssue(id);
    const title = page.getByLabel("Title", { exact: true });
    await title.fill("Edited by keyboard");
    await title.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Edited by keyboard" }).waitFor();
    await page.keyboard.press("e");
    const input = page.getByLabel("Description", { exact: true }).and(page.locator("textarea"));
    await input.fill("Mine, in **bold**");
    await page.getByRole("tab", { name: "Preview" }).click();
    await page.locator("strong", { hasText: "bold" }).waitFor();
    await page.getByRole("tab", { name: "Write" }).click();
    // A change of another field is not a conflict; a change of the description is.
    await screens.call("PUT", `/api/projects/issues/${id}`, { priority: "high" });
    await screens.call("PUT", `/api/projects/issues/${id}`, { description: "Theirs" });
    await page.reload();
    assert.strictEqual(await input.inputValue(), "Mine, in **bold**");
    await input.press("Control+Enter");
    await page.getByRole("region", { name: "Saved version" }).getByText("Theirs").waitFor();
    await page.getByRole("region", { name: "Your version" }).getByText("Mine, in").waitFor();
    await assertAccessible(page);
    await shoot(page, "conflict");
    await page.getByRole("button", { name: "Save mine" }).click();
    await input.waitFor({ state: "detached" });
    const saved = await pages.get(id);
    assert.strictEqual(saved.description, "Mine, in **bold**");
    assert.strictEqual(saved.title, "Edited by keyboard");
    assert.strictEqual(saved.priority, "high");
  });
});
