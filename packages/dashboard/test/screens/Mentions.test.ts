import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest";
import { assertAccessible } from "../support/Axe.ts";
import { hasBrowser } from "../support/Browser.ts";
import { row, show } from "../support/Inbox.ts";
import { type IssuePages, issuePages } from "../support/IssuePages.ts";
import { type Screens, shoot, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];
let screens: Screens;
let pages: IssuePages;

/** A key of the user, and a call with it. */
const person = async (userId: string) => {
  const { body } = await screens.call("POST", "/api/keys", {
    name: `${userId}'s key`,
    role: "Editor",
    userId,
  });
  return String(body.key);
};

const comment = (id: string, content: string) =>
  screens.call("POST", `/api/projects/issues/${id}/comments`, { content });

const comments = async (id: string): Promise<ReadonlyArray<string>> =>
  (await screens.call("GET", `/api/projects/issues/${id}/comments`)).body.map(
    ({ content }: { readonly content: string }) => content,
  );

describe.runIf(hasBrowser)("mentions", () => {
  beforeAll(async () => {
    screens = await start((end) => endings.unshift(end));
    pages = issuePages(screens);
  });
  afterAll(async () => {
    for (const end of endings) await end();
  });

  it("[dashboard.inbox.mention] a mention is in the inbox with its comment, and ends with a reply or Done", async () => {
    const key = await person("ada");
    const titles = ["Pick the slates", "Paint the door", "Order the nails"];
    const ids: Array<string> = [];
    for (const title of titles) {
      const { id } = await pages.create(title);
      ids.push(id);
      await comment(id, `@ada, what do you think of **${title.toLowerCase()}**?`);
    }
    const page = await screens.open("/inbox?kind=mentioned", { key });
    await vi.waitFor(async () => assert.match(await page.title(), /^\(3\) /), { timeout: 10_000 });
    const item = await show(page, "Pick the slates");
    await item.getByText("what do you think of").waitFor();
    await item.locator("strong", { hasText: "pick the slates" }).waitFor();
    await assertAccessible(page);
    await shoot(page, "mention-inbox");
    await page.keyboard.press("r");
    await item.getByLabel("Your comment").fill("The dark ones");
    await page.keyboard.press("Control+Enter");
    await row(page, "Pick the slates").waitFor({ state: "detached" });
    await vi.waitFor(async () => assert.include(await comments(ids[0] ?? ""), "The dark ones"), {
      timeout: 10_000,
    });

    const door = await show(page, "Paint the door");
    await door.getByRole("button", { name: "Done" }).click();
    await row(page, "Paint the door").waitFor({ state: "detached" });
    await row(page, "Order the nails").focus();
    await page.keyboard.press("e");
    await page.getByText("Order the nails").first().waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("main").waitFor();
    assert.strictEqual(await row(page, "Paint the door").count(), 0);
    for (const id of ids) assert.strictEqual((await pages.get(id)).status, "Open");
  });

  it("[dashboard.mentions] mentions in texts have names, and the reader's own stands out", async () => {
    const key = await person("eve");
    const { body: keyed } = await screens.call("POST", "/api/keys", {
      name: "Roof office",
      role: "Viewer",
    });
    const { id } = await pages.create("Names in texts", {
      description: `For @eve and @${keyed.id}; not \`@bob\`, ada@example.com or @types/node.`,
    });
    for (const theme of ["light", "dark"] as const) {
      const page = await pages.openIssue(id, { key, theme });
      await page.locator("[data-me=true]", { hasText: "@eve" }).waitFor();
      await page.locator("[data-me=false]", { hasText: "@Roof office" }).waitFor();
      assert.strictEqual(await page.locator("[data-me]").count(), 2);
      await assertAccessible(page);
      await shoot(page, `mentions-${theme}`);
    }
  });
});
