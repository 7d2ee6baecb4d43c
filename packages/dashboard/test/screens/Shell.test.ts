import { join } from "node:path";
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import http from "../../../http/package.json" with { type: "json" };
import { temporaryFolder } from "../../../server/test/Quartermaster.ts";
import { hasTerminal, startOnTerminal } from "../../../server/test/Terminal.ts";
import { assertAccessible } from "../support/Axe.ts";
import { hasBrowser, sizes } from "../support/Browser.ts";
import { type Screens, seed, shoot, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];
let screens: Screens;

describe.runIf(hasBrowser)("the shell", () => {
  beforeAll(async () => {
    screens = await start((end) => endings.unshift(end));
    await seed(screens);
  });
  afterAll(async () => {
    for (const end of endings) await end();
  });

  it("[dashboard.sign-in] a person signs in with a key, and a wrong key is refused with the API's message", async () => {
    const page = await screens.open("/work?q=checkout", { key: null });
    await assertAccessible(page);
    await shoot(page, "sign-in");
    await page.getByLabel("API key").fill("qm_wrong_1");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").filter({ hasText: /key/i }).waitFor();
    await page.getByLabel("API key").fill(screens.server.key);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Work" }).waitFor();
    assert.include(page.url(), "q=checkout");
    await page.getByRole("button", { name: "Owner key" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByLabel("API key").waitFor();
  });

  it("[dashboard.compressed] every file that the page names is served compressed", async () => {
    const { url } = screens.server;
    const html = await (await fetch(url, { headers: { accept: "text/html" } })).text();
    // Fonts are compressed already.
    const paths = [...html.matchAll(/"(\/assets\/[^"]+(?<!woff2))"/g)].map(([, path]) => path);
    assert.isAbove(paths.length, 5);
    for (const path of paths) {
      const { headers } = await fetch(`${url}${path}`, { headers: { "accept-encoding": "gzip" } });
      assert.strictEqual(headers.get("content-encoding"), "gzip", path);
    }
  });

  it("[dashboard.sign-in.link] the token of a link is removed from the URL, even if it is no longer valid", async () => {
    const page = await screens.open(`/work#sign-in=${"0".repeat(64)}`, { key: null });
    await page.getByLabel("API key").waitFor();
    assert.strictEqual(page.url(), `${screens.server.url}/work`);
    const note = page.getByRole("alert").filter({ hasText: "was used or has expired" });
    await note.getByText("quartermaster open").waitFor();
    await assertAccessible(page);
  });

  it.runIf(hasTerminal)(
    "[dashboard.sign-in.link] the link on the terminal signs an Owner in with one click",
    async () => {
      const { signInToken, url } = await startOnTerminal(join(await temporaryFolder(), "data"));
      const page = await screens.open("/", { key: null, url: `${url}/#sign-in=${signInToken}` });
      await page.getByRole("heading", { name: "Inbox" }).waitFor();
      assert.strictEqual(page.url(), `${url}/inbox`);
      await page.goto(`${url}/work`);
      await page.getByRole("heading", { name: "No issues yet" }).waitFor();
      await assertAccessible(page);
      await shoot(page, "empty");
    },
  );

  it("[dashboard.expired] after the end of a session a change waits for the next sign-in, and is saved", async () => {
    const page = await screens.open("/work?view=list");
    await page.getByRole("article", { name: /Checkout fails/ }).waitFor();
    await page.keyboard.press("c");
    const title = page.getByLabel("Title");
    await title.fill("Typed before the session ended");
    const { body } = await screens.call("GET", "/api/sessions?limit=500");
    for (const { id } of body) await screens.call("DELETE", `/api/sessions/${id}`);
    // The dialog may cover the button already, since the stream of events has also ended.
    const create = page.getByRole("button", { name: "Create issue", includeHidden: true });
    await create.dispatchEvent("click");
    const dialog = page.getByRole("dialog", { name: "Your session has ended" });
    await dialog.waitFor();
    await dialog.getByLabel("API key").fill(screens.server.key);
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("article", { name: "Typed before the session ended" }).waitFor();
    assert.strictEqual(await dialog.count(), 0);
  });

  it("[dashboard.palette] the palette finds commands, issues and agents only by keyboard", async () => {
    const page = await screens.open("/inbox");
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").waitFor();
    await page.keyboard.type("retry webhook");
    await page.getByRole("option", { name: "Add a retry to the payment webhook" }).waitFor();
    await assertAccessible(page);
    await shoot(page, "palette");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("theme dark");
    await page.keyboard.press("Enter");
    await page.locator("html[data-theme=dark]").waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("w");
    await page.getByRole("heading", { name: "Work" }).waitFor();
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await help.getByText("New issue").waitFor();
    await assertAccessible(page);
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "detached" });
  });

  it("[dashboard.palette.recent] without a text the palette starts with the issues and agents that were opened last", async () => {
    const page = await screens.open("/work?q=refund");
    await page.getByRole("article", { name: /Refund emails/ }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Activity" }).waitFor();
    await page.goto(`${screens.server.url}/agents/atlas`);
    // The heading is there before the agent is loaded, and the palette lists only agents that were.
    await page.getByRole("complementary", { name: "Properties" }).waitFor();
    const titles = page.getByRole("option").locator("span:first-of-type");
    await page.keyboard.press("Control+k");
    await titles.first().waitFor();
    await page.keyboard.press("ArrowDown");
    await assertAccessible(page);
    await shoot(page, "palette-recent");
    assert.deepStrictEqual((await titles.allTextContents()).slice(0, 2), [
      "atlas",
      "Refund emails go out twice",
    ]);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Activity" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("theme dark");
    await page.getByRole("option", { name: "Refund emails" }).waitFor({ state: "detached" });
  });

  it("[dashboard.palette] Enter waits for the issues that match the typed text", async () => {
    const page = await screens.open("/inbox");
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").waitFor();
    await page.keyboard.type("refund emails");
    await page.getByRole("option", { name: "Refund emails go out twice" }).waitFor();
    await page.route("**/api/search?*", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await route.continue();
    });
    await page.keyboard.press("Control+a");
    await page.keyboard.type("image resizing");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Move image resizing to a worker" }).waitFor();
    assert.strictEqual(await page.getByRole("combobox").count(), 0);
  });

  it("[dashboard.palette.search] the palette finds an issue by its key, a part of a word and a comment", async () => {
    const { body } = await screens.call("POST", "/api/projects/shop/issues", {
      title: "Crédit notes",
    });
    const { id, key } = body;
    await screens.call("POST", `/api/projects/issues/${id}/comments`, {
      content: "The rounding of zloty is wrong",
      authorType: "User",
    });
    const page = await screens.open("/inbox");
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
    await page.keyboard.press("Control+k");
    const input = page.getByRole("combobox");
    const option = page.getByRole("option", { name: /Crédit notes/ });
    const marked = (text: string) => option.locator("mark", { hasText: text }).waitFor();
    await input.fill("credi");
    await marked("Crédit");
    await input.fill("rounding zlo");
    await marked("zloty");
    await assertAccessible(page);
    await shoot(page, "palette-search");
    await input.fill(key.toLowerCase());
    await option.getByText(key).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/issues/${key}`);
  });

  it("[dashboard.palette.status] the palette shows the status of an issue that the page has loaded", async () => {
    const page = await screens.open("/work");
    await page.getByRole("article", { name: /Add a retry/ }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("payment webhook");
    await page
      .getByRole("option", { name: /Add a retry/ })
      .getByRole("img", { name: "In review" })
      .waitFor();
  });

  it("[dashboard.palette] the palette starts with the commands of the open screen", async () => {
    const page = await screens.open("/work");
    await page.getByRole("article", { name: /Checkout fails/ }).waitFor();
    await page.keyboard.press("Control+k");
    const titles = page.getByRole("option").locator("span:first-of-type");
    await titles.first().waitFor();
    const texts = await titles.allTextContents();
    assert.strictEqual(texts[0], "New issue");
    assert.strictEqual(texts.filter((text) => text === "New issue").length, 1);
    assert.isBelow(texts.indexOf("Go to inbox"), texts.indexOf("Go to overview"));
    assert.isBelow(texts.indexOf("Go to overview"), texts.indexOf("Theme: dark"));
  });

  it("[dashboard.create] c creates an issue on any screen, and suggestions without a match take no space", async () => {
    const page = await screens.open("/agents");
    await page.getByRole("heading", { name: "Agents" }).waitFor();
    await page.keyboard.press("c");
    const dialog = page.getByRole("dialog", { name: "New issue" });
    await dialog.getByLabel("Title").fill("Made while looking at agents");
    await dialog.getByLabel("Agent").fill("at");
    await page.getByRole("option", { name: "atlas" }).waitFor();
    await dialog.getByLabel("Agent").fill("nobody-yet");
    await page.getByRole("option").first().waitFor({ state: "detached" });
    assert.strictEqual(await page.locator("[role=listbox]:visible").count(), 0);
    assert.strictEqual(await page.locator("[data-empty]:visible").count(), 0);
    await dialog.getByLabel("Project").fill("web");
    await dialog.getByLabel("Labels").fill("urgent ones");
    await page.keyboard.press("Enter");
    await dialog.getByLabel("Labels").fill("typed only");
    await page.keyboard.press("Control+Enter");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Open", exact: true }).click();
    await page.getByRole("heading", { name: "Made while looking at agents" }).waitFor();
    await page.getByText("typed only").waitFor();
    await page.getByText("urgent ones").waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("w");
    await page.getByRole("article", { name: "Made while looking at agents" }).waitFor();
  });

  it("[dashboard.narrow] at 390 px the bar has five screens, and More has the others", async () => {
    const page = await screens.open("/inbox", { size: "narrow" });
    const bar = page.getByRole("navigation", { name: "Screens" });
    await bar.getByRole("link", { name: "Inbox" }).waitFor();
    const entries = bar.locator("a:visible, button:visible");
    assert.deepStrictEqual(
      (await entries.allTextContents()).map((text) => text.replace(/\d+$/, "")),
      ["Inbox", "Work", "Agents", "Servers", "Overview", "More"],
    );
    for (const box of await Promise.all((await entries.all()).map((one) => one.boundingBox()))) {
      assert.isAtLeast(box?.width ?? 0, 44);
      assert.isAtMost((box?.x ?? 0) + (box?.width ?? 0), 390);
    }
    const more = bar.getByRole("button", { name: "More" });
    await more.click();
    await page.getByRole("menuitem", { name: "Sign out" }).waitFor();
    await assertAccessible(page);
    await shoot(page, "more-light-narrow");
    await page.getByRole("menuitem", { name: "Keys" }).click();
    await page.getByRole("heading", { name: "Keys" }).waitFor();
    assert.strictEqual(await more.getAttribute("data-status"), "active");
    await more.click();
    await page.getByRole("menuitem", { name: "Search and commands" }).click();
    await page.getByRole("combobox").waitFor();
  });

  it("[dashboard.menu] the account menu has the version, and a link to the documentation", async () => {
    const page = await screens.open("/inbox");
    await page.getByRole("button", { name: "Owner key" }).click();
    await page.getByText(`Quartermaster ${http.version}`).waitFor();
    await assertAccessible(page);
    await shoot(page, "menu");
    const opened = page.waitForEvent("popup");
    await page.getByRole("menuitem", { name: "Documentation" }).click();
    const documentation = await opened;
    await documentation.waitForLoadState();
    assert.strictEqual(documentation.url(), `${screens.server.url}/docs`);
    assert.strictEqual(await documentation.locator("#root").count(), 0);
    await page.getByRole("button", { name: "Owner key" }).click();
    const reference = page.getByRole("menuitem", { name: "API reference" });
    const href = await reference.getAttribute("href");
    const { headers, status } = await fetch(new URL(href ?? "", page.url()));
    assert.strictEqual(status, 200);
    assert.include(headers.get("content-type") ?? "", "text/html");
  });

  it("[dashboard.unknown-address] a URL without a screen shows a message, below a heading", async () => {
    const page = await screens.open("/nowhere");
    await page.getByRole("heading", { level: 1, name: "This page does not exist" }).waitFor();
    await assertAccessible(page);
  });

  it("[dashboard.unknown-parameters] parameters that a screen does not know are ignored, and never sent", async () => {
    const page = await screens.open("/inbox");
    const sent: Array<string> = [];
    page.on("request", (request) => {
      if (request.url().includes("/api/")) sent.push(request.url());
    });
    for (const path of [
      "inbox",
      "work",
      "agents",
      "graph",
      "servers",
      "tools",
      "keys",
      "overview",
    ]) {
      await page.goto(`${screens.server.url}/${path}?utm_source=slack&window=never`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
      assert.strictEqual(await page.getByRole("alert").count(), 0, path);
    }
    assert.isAbove(sent.length, 8);
    assert.deepStrictEqual(
      sent.filter((url) => /utm_source|never/.test(url)),
      [],
    );
  });

  it("[dashboard.font] the page and the documentation use a font that the server sends, from the first paint on", async () => {
    for (const path of ["/inbox", "/docs"]) {
      const page = await screens.open(path);
      await page.locator("h1").first().waitFor();
      assert.match(
        String(await page.evaluate("getComputedStyle(document.body).fontFamily")),
        /^"Inter Variable", system-ui/,
      );
      assert.isTrue(
        await page.evaluate(`document.fonts.ready.then(
          (fonts) => [...fonts].some(({ family, status }) => /Inter/.test(family) && status === "loaded"))`),
      );
    }
  });

  it("[dashboard.updated] a tab that was open during an update shows that it has to be reloaded", async () => {
    const page = await screens.open("/inbox");
    await page.getByRole("article", { name: /Checkout fails/ }).waitFor();
    await page.route(/assets\/Keys-/, (route) => route.abort());
    await page.keyboard.press("g");
    await page.keyboard.press("k");
    await page.getByRole("alert").getByText("Reload the page to get the current version").waitFor();
    await page.unroute(/assets\/Keys-/);
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByRole("heading", { name: "Keys" }).waitFor();
  });

  it("[dashboard.connection] the connection line shows whether the page is up to date", async () => {
    const own = await start();
    const page = await own.open("/inbox");
    const line = page.getByRole("status");
    await line.filter({ hasText: "Live" }).waitFor();
    await page.getByRole("button", { name: "Copy the command" }).first().waitFor();
    await own.server.kill();
    await line.filter({ hasText: "Reconnecting" }).waitFor();
    await line.filter({ hasText: "Offline since" }).waitFor();
    const main = await page.getByRole("main").boundingBox();
    const banner = await line.boundingBox();
    assert.strictEqual(banner?.x, main?.x);
    assert.isBelow(banner?.y ?? 0, main?.y ?? 0);
    assert.isAbove(banner?.height ?? 0, 30);
    await shoot(page, "offline-light-wide");
    await page.setViewportSize(sizes.narrow);
    const box = await line.boundingBox();
    assert.isAbove(box?.width ?? 0, 300);
    const buttons = await page.getByRole("button", { name: "Copy the command" }).all();
    assert.isNotEmpty(buttons);
    for (const button of buttons) {
      const command = await button.boundingBox();
      assert.isAtMost((command?.x ?? 390) + (command?.width ?? 0), 390);
    }
    await shoot(page, "offline-light-narrow");
  });
});
