import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { assertAccessible } from "../support/Axe.ts";
import { hasBrowser } from "../support/Browser.ts";
import { type IssuePages, issuePages } from "../support/IssuePages.ts";
import { type Screens, shoot, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];
let screens: Screens;
let pages: IssuePages;

/** An issue with a comment, and the path of the comment. */
const commented = async (title: string, content: string) => {
  const { id } = await pages.create(title);
  const list = `/api/projects/issues/${id}/comments`;
  const { body } = await screens.call("POST", list, { content });
  return { id, path: `${list}/${body.id}`, list };
};

describe.runIf(hasBrowser)("the comments of an issue", () => {
  beforeAll(async () => {
    screens = await start((end) => endings.unshift(end));
    pages = issuePages(screens);
  });
  afterAll(async () => {
    for (const end of endings) await end();
  });

  it("[dashboard.comments.edit] a comment is edited in place, survives a reload, and shows its versions and conflicts", async () => {
    const { id, list, path } = await commented("Edited comments", "Two slates\nare loose");
    const page = await pages.openIssue(id);
    await page.getByRole("button", { name: "Edit the comment" }).click();
    const input = page
      .getByLabel("Edit the comment", { exact: true })
      .and(page.locator("textarea"));
    await input.fill("Three slates\nare loose");
    await page.reload();
    assert.strictEqual(await input.inputValue(), "Three slates\nare loose");
    await input.press("Control+Enter");
    await input.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "edited" }).click();
    const dialog = page.getByRole("dialog", { name: "Versions of the comment" });
    await dialog.locator("del", { hasText: "Two slates" }).waitFor();
    await dialog.locator("ins", { hasText: "Three slates" }).waitFor();
    await assertAccessible(page);
    await shoot(page, "comment-versions");
    await page.keyboard.press("Escape");
    // Another caller edits the same comment in the meantime.
    await page.getByRole("button", { name: "Edit the comment" }).click();
    await input.fill("Mine");
    await screens.call("PUT", path, { content: "Theirs" });
    await input.press("Control+Enter");
    await page.getByRole("region", { name: "Saved version" }).getByText("Theirs").waitFor();
    await page.getByRole("region", { name: "Your version" }).getByText("Mine").waitFor();
    await assertAccessible(page);
    await page.getByRole("button", { name: "Save my version" }).click();
    await input.waitFor({ state: "detached" });
    const { body } = await screens.call("GET", list);
    assert.deepStrictEqual([body[0].content, body[0].version], ["Mine", 4]);
  });

  it("[dashboard.comments.delete] a deleted comment says who deleted it, and an Admin deletes its texts permanently", async () => {
    const { id, list, path } = await commented("Deleted comments", "canary");
    const page = await pages.openIssue(id);
    await page.getByRole("button", { name: "Delete the comment" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("Comment deleted by you").waitFor();
    await page.getByRole("button", { name: "Show versions" }).click();
    await page.getByRole("dialog").getByText("canary").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Delete the comment" }).click();
    await assertAccessible(page);
    await shoot(page, "comment-delete");
    await page.getByRole("button", { name: "Delete permanently" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Show versions" }).click();
    await page.getByText("Every version was removed permanently.").waitFor();
    assert.deepStrictEqual((await screens.call("GET", `${path}/versions`)).body, []);
    assert.strictEqual((await screens.call("GET", list)).body[0].content, "");
  });
});
