import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { as } from "../../../http/test/support/Client.ts";
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

  it("[dashboard.comments.author] an author who is a Viewer by now edits and deletes the own comments only", async () => {
    const { id, list } = await commented("Comments by a Viewer", "By another person");
    const keyOf = async (role: string) =>
      (await screens.call("POST", "/api/keys", { name: role, role, userId: "rosa" })).body.key;
    await as(screens.server, await keyOf("Editor"))("POST", list, {
      body: { content: "By Rosa" },
    });
    const page = await pages.openIssue(id, { key: await keyOf("Viewer") });
    await page.getByText("By another person").waitFor();
    const edit = page.getByRole("button", { name: "Edit the comment" });
    assert.strictEqual(await edit.count(), 1);
    await edit.click();
    const input = page.getByRole("textbox", { name: "Edit the comment" });
    assert.strictEqual(await page.getByRole("button", { name: "Attach files" }).count(), 0);
    await input.fill("By Rosa, again");
    await input.press("Control+Enter");
    await page.getByText("By Rosa, again").waitFor();
    await page.getByRole("button", { name: "Delete the comment" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("Comment deleted by you").waitFor();
    const { body } = await screens.call("GET", list);
    assert.deepStrictEqual(
      body.map(({ content }: { readonly content: string }) => content),
      ["By another person", ""],
    );
  });
});
