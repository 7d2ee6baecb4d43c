import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest";
import { assertAccessible } from "../support/Axe.ts";
import { hasBrowser } from "../support/Browser.ts";
import { type IssuePages, issuePages } from "../support/IssuePages.ts";
import { type Screens, shoot, start } from "../support/Screens.ts";

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
    // A change to another field is not a conflict; a change to the description is.
    await page.route(`**/issues/${id}`, (route) =>
      route.request().method() === "PUT" ? route.abort() : route.fallback(),
    );
    await input.fill("Mine, in **bold**, and more");
    await page.getByRole("alert").waitFor();
    await page.getByText("Not saved yet").waitFor();
    await pages.put(id, { priority: "high" });
    await pages.put(id, { description: "Theirs" });
    await page.reload();
    assert.strictEqual(await input.inputValue(), "Mine, in **bold**, and more");
    await page.unroute(`**/issues/${id}`);
    await input.press("Control+Enter");
    await page.getByRole("region", { name: "Saved version" }).getByText("Theirs").waitFor();
    await page.getByRole("region", { name: "Your version" }).getByText("Mine, in").waitFor();
    await assertAccessible(page);
    await shoot(page, "conflict");
    await page.getByRole("button", { name: "Save my version" }).click();
    await input.waitFor({ state: "detached" });
    const saved = await pages.get(id);
    assert.strictEqual(saved.description, "Mine, in **bold**, and more");
    assert.strictEqual(saved.title, "Edited by keyboard");
    assert.strictEqual(saved.priority, "high");
  });

  it("[dashboard.texts] keys of issues are links with their titles, and code and tasks look like it", async () => {
    const target = await pages.create("Refund twice");
    const text = [
      `See ${target.key}, not ${target.key}x or UTF-8, nor \`${target.key}\`.`,
      `[${target.key} as a link](https://example.com/)`,
      "- [x] found\n- [ ] fixed",
      "```ts\nconst answer = 42; // **no** Markdown\n```",
      "```diff\n-old\n+new\n```",
      "```no-such-language\nplain\n```",
    ].join("\n\n");
    const { id } = await pages.create("Has texts", { description: text });
    const asked: Array<string> = [];
    const page = await pages.openIssue(id);
    page.on("request", (request) => asked.push(request.url()));
    const link = page.getByRole("link", { name: `${target.key} Refund twice` });
    await link.waitFor();
    assert.strictEqual(await page.getByRole("link", { name: target.key }).count(), 2);
    await page.locator(".hljs-keyword", { hasText: "const" }).waitFor();
    await page.locator(".hljs-comment", { hasText: "// **no** Markdown" }).waitFor();
    await page.locator(".hljs-addition", { hasText: "+new" }).waitFor();
    assert.strictEqual(await page.getByRole("checkbox", { checked: true }).count(), 1);
    await assertAccessible(page);
    await shoot(page, "texts");
    // A new title is shown, and the page does not ask for texts that are not keys.
    await pages.put(target.id, { title: "Refund once" });
    await page.getByRole("link", { name: `${target.key} Refund once` }).waitFor();
    assert.isEmpty(asked.filter((url) => url.includes("UTF-8")));
    await page.getByRole("link", { name: `${target.key} Refund once` }).click();
    await page.getByRole("heading", { level: 1, name: "Refund once" }).waitFor();
    // A key of a comment that the reader may not see, or that no issue has, stays text.
    await screens.call("POST", `/api/projects/issues/${id}/comments`, {
      content: `Like SHOP-99999 and ${target.key.toLowerCase()}`,
    });
    const again = await pages.openIssue(id);
    await again
      .getByText(`Like SHOP-99999 and ${target.key.toLowerCase()}`, { exact: true })
      .waitFor();
  });

  it("[dashboard.tasks] an Editor ticks the tasks of a description, also two in a row, and a Viewer reads them", async () => {
    const description = "Steps\n\n- [ ] one\n- [x] two\n  - [ ] three\n";
    const { id } = await pages.create("Has tasks", { description });
    const page = await pages.openIssue(id);
    const boxes = page.getByRole("checkbox", { name: "Done" });
    await boxes.nth(0).click();
    await boxes.nth(2).click();
    await boxes.nth(1).click();
    await vi.waitFor(
      async () =>
        assert.strictEqual(
          (await pages.get(id)).description,
          "Steps\n\n- [x] one\n- [ ] two\n  - [x] three\n",
        ),
      { timeout: 10_000 },
    );
    assert.deepStrictEqual(
      await boxes.evaluateAll((all) => all.map((box) => box.matches(":checked"))),
      [true, false, true],
    );
    await assertAccessible(page);
    const { key } = (await screens.call("POST", "/api/keys", { name: "r", role: "Viewer" })).body;
    const reader = await pages.openIssue(id, { key });
    await reader.getByRole("checkbox", { name: "Not done" }).waitFor();
    assert.strictEqual(await reader.getByRole("checkbox", { disabled: true }).count(), 3);
  });

  it("[dashboard.issue.autosave] a description is saved while the user types, once per pause, and can be undone", async () => {
    const { id, version } = await pages.create("Saved automatically", { description: "Before" });
    const page = await pages.openIssue(id);
    await page.getByText("Before", { exact: true }).waitFor();
    await page.keyboard.press("e");
    const input = page.getByLabel("Description", { exact: true }).and(page.locator("textarea"));
    await input.press("End");
    await page.keyboard.type(", and after");
    await page.getByText("Saving…").waitFor();
    await page.getByText("Saved", { exact: true }).waitFor();
    const first = await pages.get(id);
    assert.deepStrictEqual([first.description, first.version], ["Before, and after", version + 1]);
    // If nothing is unsaved, the editor takes over another caller's text.
    await pages.put(id, { description: "Elsewhere" });
    await vi.waitFor(async () => assert.strictEqual(await input.inputValue(), "Elsewhere"), {
      timeout: 10_000,
    });
    await input.fill("Elsewhere, and here");
    await page.getByText("Saved", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Discard changes" }).click();
    await input.waitFor({ state: "detached" });
    assert.strictEqual((await pages.get(id)).description, "Before");
    // Repeated texts are one change in the stream.
    const changed = page.getByRole("listitem").filter({ hasText: "changed the description" });
    await changed.first().waitFor();
    assert.strictEqual(await changed.count(), 1);
    // Leaving the page saves the typed text.
    await page.keyboard.press("e");
    await input.fill("Left in a hurry");
    const saved = page.waitForResponse((response) => response.request().method() === "PUT");
    await page.getByRole("link", { name: "Work", exact: true }).first().click();
    await page.getByRole("heading", { name: "Work" }).waitFor();
    await saved;
    assert.strictEqual((await pages.get(id)).description, "Left in a hurry");
  });

  it("[dashboard.issue.versions] the versions of a description are shown as differences, newest first", async () => {
    const { id } = await pages.create("Versions", { description: "One line\nKept" });
    await pages.put(id, { description: "Another line\nKept" });
    await pages.put(id, { description: null });
    const page = await pages.openIssue(id);
    await page.getByRole("button", { name: "Versions", exact: true }).click();
    const versions = page
      .getByRole("dialog", { name: "Versions of the description" })
      .getByRole("figure");
    await versions.nth(2).waitFor();
    assert.strictEqual(await versions.count(), 3);
    assert.deepStrictEqual(await versions.nth(0).locator("del").allInnerTexts(), [
      "Another line",
      "Kept",
    ]);
    assert.deepStrictEqual(await versions.nth(1).locator("ins").allInnerTexts(), ["Another line"]);
    assert.deepStrictEqual(await versions.nth(1).locator("del").allInnerTexts(), ["One line"]);
    await assertAccessible(page);
    await shoot(page, "description-versions");
  });

  it("[dashboard.markdown] a comment has the line breaks that were typed, and output in a code block", async () => {
    const { id } = await pages.create("Line breaks");
    await screens.call("POST", `/api/projects/issues/${id}/comments`, {
      content: "Dear Ada,\n**the roof\nis tight**  \nand dry\n\n- one\n- two\n\n```\n# 1\n# 2\n```",
    });
    const page = await pages.openIssue(id);
    const comment = page.getByRole("listitem").filter({ hasText: "Dear Ada" }).first();
    await comment.locator("strong").waitFor();
    assert.strictEqual(await comment.locator("p br").count(), 3);
    assert.strictEqual(await comment.locator("li br").count(), 0);
    assert.strictEqual(await comment.locator("pre code").innerText(), "# 1\n# 2\n");
    assert.strictEqual(await comment.locator("br").count(), 3);
  });

  it("[dashboard.issue.title] a typed title survives a reload, and a lost response causes no conflict", async () => {
    const { id } = await pages.create("Typed slowly");
    const page = await pages.openIssue(id);
    const title = page.getByLabel("Title", { exact: true });
    await title.fill("Typed in two parts");
    await page.reload();
    await title.waitFor();
    assert.strictEqual(await title.inputValue(), "Typed in two parts");
    assert.strictEqual((await pages.get(id)).title, "Typed slowly");
    await page.route(`**/issues/${id}`, async (route) => {
      if (route.request().method() !== "PUT") return route.fallback();
      await route.fetch();
      return route.abort();
    });
    await title.press("Enter");
    await page.getByRole("alert").waitFor();
    await page.unroute(`**/issues/${id}`);
    // The page has read the change: from now on it gets no issue.
    await page.getByRole("heading", { level: 1, name: "Typed in two parts" }).waitFor();
    const held = Promise.withResolvers<void>();
    await page.route(`**/issues/${id}`, async (route) => {
      if (route.request().method() === "GET") await held.promise;
      return route.fallback();
    });
    await title.press("Enter");
    await page.getByRole("alert").waitFor({ state: "detached" });
    await page.getByRole("heading", { level: 1, name: "Typed in two parts" }).waitFor();
    // The title is still being sent: the page reads the issue after the conflict.
    await title.fill("Never mind");
    const answered = page.waitForResponse((response) => response.request().method() === "GET");
    held.resolve();
    await (await answered).finished();
    await title.press("Escape");
    assert.strictEqual((await pages.get(id)).title, "Typed in two parts");
    await page.reload();
    await title.waitFor();
    assert.strictEqual(await title.inputValue(), "Typed in two parts");
  });
});
