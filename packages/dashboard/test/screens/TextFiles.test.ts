import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest";
import type { Locator, Page } from "playwright-core";
import { as } from "../../../http/test/support/Client.ts";
import { assertAccessible } from "../support/Axe.ts";
import { hasBrowser } from "../support/Browser.ts";
import { show } from "../support/Inbox.ts";
import { type IssuePages, issuePages } from "../support/IssuePages.ts";
import { type Screens, shoot, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];
let screens: Screens;
let pages: IssuePages;

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const contents = async (id: string): Promise<ReadonlyArray<string>> =>
  (await screens.call("GET", `/api/projects/issues/${id}/comments`)).body.map(
    ({ content }: { readonly content: string }) => content,
  );

const attach = async (
  id: string,
  name: string,
  type: string,
  content: string | Uint8Array<ArrayBuffer>,
) => {
  const form = new FormData();
  form.append("file", new Blob([content], { type }), name);
  const response = await fetch(`${screens.server.url}/api/projects/issues/${id}/attachments`, {
    method: "POST",
    headers: { authorization: `Bearer ${screens.server.key}` },
    body: form,
  });
  return response.json();
};

/** Drops or pastes a file on a field. */
const give = async (field: Locator, event: "DragEvent" | "ClipboardEvent", name: string) => {
  const isDrop = event === "DragEvent";
  const [type, data] = isDrop ? ["drop", "dataTransfer"] : ["paste", "clipboardData"];
  const file = name.endsWith(".png")
    ? `[Uint8Array.from(atob("${pixel}"), (char) => char.charCodeAt(0))], "${name}", { type: "image/png" }`
    : `["words"], "${name}", { type: "text/plain" }`;
  await field.focus();
  await field.page().evaluate(`(() => {
    const ${data} = new DataTransfer();
    ${data}.items.add(new File(${file}));
    document.activeElement.dispatchEvent(
      new ${event}("${type}", { ${data}, bubbles: true, cancelable: true }));
  })()`);
};

const hasText = (field: Locator, text: RegExp) =>
  vi.waitFor(async () => assert.match(await field.inputValue(), text), { timeout: 10_000 });

const saved = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 10_000 });

const preview = (page: Page, name: string) => page.getByRole("dialog", { name });

describe.runIf(hasBrowser)("files and names in texts", () => {
  beforeAll(async () => {
    screens = await start((end) => endings.unshift(end));
    pages = issuePages(screens);
  });
  afterAll(async () => {
    for (const end of endings) await end();
  });

  it("[dashboard.texts.files] a file that is pasted, dropped or chosen is attached, and the comment refers to it", async () => {
    const { id } = await pages.create("Files in comments");
    const page = await pages.openIssue(id);
    const box = page.getByLabel("Comment", { exact: true }).and(page.locator("textarea"));
    await box.fill("Look:");
    await give(box, "ClipboardEvent", "broken [1].png");
    await hasText(
      box,
      /^Look:\n!\[broken \\\[1\\\]\.png\]\(\/api\/projects\/attachments\/att_\w+\/download\)\n$/,
    );
    await give(box, "DragEvent", "notes.txt");
    await hasText(box, /\n\[notes\.txt\]\(.*\)\n$/);
    await page.getByLabel("Files for the text").setInputFiles({
      name: "run.log",
      mimeType: "text/plain",
      buffer: Buffer.from("\u001b[31mred\u001b[0m line\n"),
    });
    await hasText(box, /\n\[run\.log\]\(.*\)\n$/);
    await assertAccessible(page);
    await shoot(page, "text-files-composer");
    await box.press("Control+Enter");
    await page.getByRole("img", { name: "broken [1].png" }).waitFor();
    const stream = page.getByRole("region", { name: "Activity" });
    await stream.getByRole("link", { name: "run.log" }).click();
    await preview(page, "run.log").getByText("red line", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await assertAccessible(page);
    await shoot(page, "text-files");
    const { body } = await screens.call("GET", `/api/projects/issues/${id}/attachments`);
    assert.lengthOf(body, 3);
    assert.lengthOf(await contents(id), 1);
  });

  it("[dashboard.texts.files] a comment waits for an upload that is running, and a failed one is sent again", async () => {
    const { id } = await pages.create("Slow files");
    const page = await pages.openIssue(id);
    const box = page.getByLabel("Comment", { exact: true }).and(page.locator("textarea"));
    const send = page.getByRole("button", { name: "Comment", exact: true });
    await page.route("**/attachments", (route) =>
      route.request().method() === "POST" ? route.abort() : route.fallback(),
    );
    await box.fill("See below");
    await give(box, "DragEvent", "notes.txt");
    const uploads = page.getByRole("list", { name: "Uploads" });
    await uploads.getByRole("alert").waitFor();
    assert.isTrue(await send.isEnabled());
    await page.unroute("**/attachments");
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/attachments", async (route) => {
      if (route.request().method() === "POST") await held;
      await route.fallback();
    });
    await uploads.getByRole("button", { name: "Try again" }).click();
    await vi.waitFor(async () => assert.isTrue(await send.isDisabled()));
    release();
    await hasText(box, /\[notes\.txt\]/);
    await send.click();
    await saved(async () => assert.lengthOf(await contents(id), 1));
  });

  it("[dashboard.texts.files] an answer in the inbox refers to its file", async () => {
    const { id } = await pages.create("Asks for a file");
    await screens.call("POST", `/api/projects/issues/${id}/questions`, { prompt: "Which slates?" });
    const page = await screens.open("/inbox?kind=question");
    const item = await show(page, "Asks for a file");
    const box = item.getByLabel("Answer", { exact: true });
    await give(box, "ClipboardEvent", "slates.png");
    await hasText(box, /^!\[slates\.png\]/);
    await item.getByRole("button", { name: "Answer", exact: true }).click();
    await saved(async () => assert.match((await contents(id)).join(), /!\[slates\.png\]/));
  });

  it("[dashboard.previews] pictures, texts, JSON, CSV and logs have previews, and the content runs nothing", async () => {
    const { id } = await pages.create("Has many files");
    await attach(id, "data.json", "application/json", '{"slates":[1,2]}');
    await attach(id, "table.csv", "text/csv", 'name,count\n"slates, dark",42\n');
    await attach(id, "page.html", "text/html", "<script>alert(1)</script><b>bold</b>");
    await attach(id, "long.log", "text/plain", "0123456789abcde\n".repeat(8_192));
    await attach(id, "empty.txt", "text/plain", "");
    await attach(id, "paper.pdf", "application/pdf", "%PDF-1.7");
    await attach(id, "raw.bin", "application/octet-stream", new Uint8Array([0, 1, 2]));
    await attach(id, "dot.png", "image/png", Uint8Array.from(Buffer.from(pixel, "base64")));
    for (const theme of ["light", "dark"] as const) {
      const page = await pages.openIssue(id, { theme });
      const open = async (name: string) => {
        await page.getByRole("button", { name: `Preview ${name}` }).click();
        await preview(page, name).getByRole("link", { name: "Download" }).waitFor();
        return preview(page, name);
      };
      const close = async (name: string) => {
        await page.keyboard.press("Escape");
        await preview(page, name).waitFor({ state: "detached" });
      };
      const json = await open("data.json");
      await json.locator(".hljs-attr", { hasText: "slates" }).waitFor();
      assert.include(await json.locator("pre").innerText(), '{\n  "slates": [\n    1,');
      await assertAccessible(page);
      await shoot(page, `preview-json-${theme}`);
      await close("data.json");
      const table = await open("table.csv");
      await table.getByRole("cell", { name: "slates, dark" }).waitFor();
      await assertAccessible(page);
      await shoot(page, `preview-csv-${theme}`);
      await close("table.csv");
      if (theme === "dark") return;
      const html = await open("page.html");
      await html.getByText("<script>alert(1)</script><b>bold</b>").waitFor();
      await close("page.html");
      const log = await open("long.log");
      await log.getByText("65.5 KB of 131 KB").waitFor();
      assert.lengthOf((await log.locator("pre").textContent()) ?? "", 65_536);
      await log.getByRole("button", { name: "Show more" }).click();
      await log.getByText("131 KB", { exact: true }).waitFor();
      assert.lengthOf((await log.locator("pre").textContent()) ?? "", 131_072);
      await shoot(page, `preview-log-${theme}`);
      await close("long.log");
      for (const [name, text] of [
        ["empty.txt", "The file is empty."],
        ["paper.pdf", "A PDF file can contain programs"],
        ["raw.bin", "There is no preview of this type of file."],
      ] as const) {
        await (await open(name)).getByText(text).waitFor();
        await close(name);
      }
      await (await open("dot.png")).getByRole("img", { name: "dot.png" }).waitFor();
      await close("dot.png");
      await shoot(page, `previews-${theme}`);
    }
  });

  it("[dashboard.mentions.suggest] typing @ suggests agents and people, who are chosen by keyboard", async () => {
    await screens.call("PUT", "/api/agents/atlas", { name: "Atlas the builder" });
    const { id } = await pages.create("Names", { assigneeUserId: "ada" });
    const { body: ada } = await screens.call("POST", "/api/keys", {
      name: "Ada's key",
      role: "Editor",
      userId: "ada",
    });
    await as(screens.server, ada.key)("POST", `/api/projects/issues/${id}/comments`, {
      body: { content: "I know the slates" },
    });
    const page = await pages.openIssue(id);
    const box = page.getByLabel("Comment", { exact: true }).and(page.locator("textarea"));
    await box.pressSequentially("Ask @a");
    const list = page.getByRole("listbox", { name: "Agents and people" });
    await list.getByRole("option", { name: "ada" }).waitFor();
    await list.getByRole("option", { name: "Atlas the builder" }).waitFor();
    await assertAccessible(page);
    await shoot(page, "mention-suggestions");
    await list.locator("[aria-selected=true]", { hasText: "ada" }).waitFor();
    await box.press("ArrowDown");
    await box.press("Enter");
    assert.strictEqual(await box.inputValue(), "Ask @atlas ");
    await list.waitFor({ state: "detached" });
    await box.pressSequentially("or @ad");
    await list.waitFor();
    await box.press("Escape");
    await list.waitFor({ state: "detached" });
    await box.pressSequentially("a");
    await box.press("Tab");
    assert.strictEqual(await box.inputValue(), "Ask @atlas or @ada ");
    await box.press("Control+Enter");
    await saved(async () => assert.include(await contents(id), "Ask @atlas or @ada "));
  });
});
