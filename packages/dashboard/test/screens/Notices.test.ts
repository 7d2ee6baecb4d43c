import { assert, describe, it, vi } from "@effect/vitest";
import type { BrowserContext, Page } from "playwright-core";
import { assertAccessible } from "../support/Axe.ts";
import { hasBrowser } from "../support/Browser.ts";
import { issuePages } from "../support/IssuePages.ts";
import { type Screens, seed, shoot, start } from "../support/Screens.ts";

/** Replaces the notifications of the browser, and where the user looks: no tab has the focus. */
const stub = (context: BrowserContext) =>
  context.addInitScript(`
    window.shown = [];
    window.Notification = class extends EventTarget {
      static permission = "granted";
      constructor(title, { body }) { super(); window.shown.push(title + ": " + body); }
      close() {}
    };
    document.hasFocus = () => {
      const isLookedAt = window.isLookedAt === true;
      window.wasLookedAt ||= isLookedAt;
      return isLookedAt;
    };`);

const shownIn = (page: Page) => page.evaluate<ReadonlyArray<string>>("window.shown");

/** Signs in, and opens two tabs without notifications of the browser's own. */
const twoTabs = async (screens: Screens) => {
  const first = await screens.open("/overview");
  await stub(first.context());
  await first.reload();
  const second = await first.context().newPage();
  await second.goto(`${screens.server.url}/agents`);
  for (const page of [first, second]) {
    await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
  }
  return [first, second] as const;
};

const titled = (page: Page, title: string) =>
  vi.waitFor(async () => assert.strictEqual(await page.title(), title), { timeout: 10_000 });

const choose = async (page: Page, names: ReadonlyArray<string>) => {
  for (const name of names) {
    await page.getByRole("button", { name: "Notifications" }).click();
    await page.getByRole("menuitem", { name }).click();
    await page.getByRole("menu").waitFor({ state: "detached" });
  }
};

describe.runIf(hasBrowser)("notices", () => {
  it("[dashboard.title] the title of each screen is its own, with the number of items in the inbox", async () => {
    const screens = await start();
    await seed(screens);
    const { create } = issuePages(screens);
    const { id, key } = await create("Has a title");
    const page = await screens.open("/inbox");
    const { body: items } = await screens.call("GET", "/api/inbox");
    for (const [path, name] of [
      ["inbox", "Inbox"],
      ["work", "Work"],
      [`issues/${id}`, `${key} Has a title`],
      ["agents", "Agents"],
      ["agents/atlas", "atlas"],
      ["graph", "Graph"],
      ["servers", "Servers"],
      ["tools", "Tools"],
      ["keys", "Keys"],
      ["overview", "Overview"],
      ["nowhere", "Page not found"],
    ] as const) {
      await page.goto(`${screens.server.url}/${path}`);
      await titled(page, `(${items.length}) ${name} · Quartermaster`);
    }
    await page.goto(`${screens.server.url}/work`);
    await screens.call("POST", `/api/projects/issues/${id}/questions`, { prompt: "Why?" });
    await titled(page, `(${items.length + 1}) Work · Quartermaster`);
  });

  it("[dashboard.notices] one tab shows a notification of each chosen kind, and none while the user looks at a tab", async () => {
    const screens = await start();
    const { body: key } = await screens.call("POST", "/api/keys", {
      name: "nova",
      role: "Editor",
      userId: "nova",
    });
    const send = async (method: string, path: string, body: object) => {
      const response = await fetch(`${screens.server.url}/api/projects/${path}`, {
        method,
        headers: { authorization: `Bearer ${key.key}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      assert.isTrue(response.ok, await response.clone().text());
      return (await response.json()) as { readonly id: string };
    };
    const ask = async (title: string, fields: object = {}) => {
      const { id } = await send("POST", "shop/issues", { title, ...fields });
      await send("POST", `issues/${id}/questions`, { prompt: "Which?" });
    };
    const handIn = async (title: string) => {
      const { id } = await send("POST", "shop/issues", { title });
      await send("PUT", `issues/${id}`, { status: "PendingReview" });
    };
    const [first, second] = await twoTabs(screens);
    const shown = async () => [...(await shownIn(first)), ...(await shownIn(second))];
    const becomes = (expected: ReadonlyArray<string>) =>
      vi.waitFor(async () => assert.deepStrictEqual(await shown(), expected), { timeout: 10_000 });

    await ask("Before any choice");
    await first.goto(`${screens.server.url}/inbox`);
    await choose(first, ["Questions"]);
    await first.getByRole("button", { name: "Notifications" }).click();
    await first.getByRole("menuitem", { name: "Only mine" }).waitFor();
    await shoot(first, "notices");
    await assertAccessible(first);
    await first.keyboard.press("Escape");
    await handIn("Of another kind");
    await ask("Asked");
    await becomes(["nova asks a question: SHOP-3 Asked"]);

    await second.evaluate("window.isLookedAt = true");
    await ask("Seen anyway");
    await first.getByText("Seen anyway").first().waitFor();
    // The tab that shows notifications asks for the focus later than the list is read.
    await vi.waitFor(
      async () => assert.isTrue(await second.evaluate<boolean>("window.wasLookedAt === true")),
      { timeout: 10_000 },
    );
    await second.evaluate("window.isLookedAt = false");
    await choose(first, ["Reviews", "Only mine"]);
    const { principal } = (await screens.call("GET", "/api/session")).body;
    await ask("Of another person", { assigneeUserId: "someone" });
    await ask("Asked about mine", { assigneeUserId: principal.id });
    await becomes([
      "nova asks a question: SHOP-3 Asked",
      "nova asks a question: SHOP-6 Asked about mine",
    ]);
    await choose(first, ["Mentions"]);
    const mentioning = await send("POST", "shop/issues", { title: "Mentions", description: "@x" });
    await send("POST", `issues/${mentioning.id}/comments`, { content: `@${principal.id}, look` });
    await becomes([
      "nova asks a question: SHOP-3 Asked",
      "nova asks a question: SHOP-6 Asked about mine",
      "nova mentions you: SHOP-7 Mentions",
    ]);
    // Earlier mentions of an issue are not new: another comment on it notifies of nothing.
    await send("POST", `issues/${mentioning.id}/comments`, { content: "Something else" });
    await send("POST", "shop/issues", { title: "Described", description: `For @${principal.id}` });
    await becomes([
      "nova asks a question: SHOP-3 Asked",
      "nova asks a question: SHOP-6 Asked about mine",
      "nova mentions you: SHOP-7 Mentions",
      "nova mentions you: SHOP-8 Described",
    ]);
    // If it was the one that shows them, the other tab takes over.
    await first.close();
    await ask("Asked later", { assigneeUserId: principal.id });
    await vi.waitFor(
      async () => assert.include(await shownIn(second), "nova asks a question: SHOP-9 Asked later"),
      { timeout: 10_000 },
    );
  });
});
