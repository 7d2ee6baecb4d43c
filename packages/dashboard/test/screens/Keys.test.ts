import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import type { Page } from "playwright-core";
import { as } from "../../../http/test/support/Client.ts";
import { assertAccessible } from "../support/Axe.ts";
import { hasBrowser, sizes } from "../support/Browser.ts";
import { opposites, type Screens, seed, shoot, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];
let screens: Screens;

const row = (page: Page, name: string) => page.getByRole("article", { name, exact: true });

const createKey = async (fields: object) => {
  const { body, text } = await screens.call("POST", "/api/keys", fields);
  assert.isString(body.key, text);
  return body;
};

const inDays = (days: number) => new Date(new Date().getTime() + days * 86_400_000).toISOString();

describe.runIf(hasBrowser)("keys and sessions", () => {
  beforeAll(async () => {
    screens = await start((end) => endings.unshift(end));
    await seed(screens);
    await createKey({ name: "Prometheus", role: "Metrics" });
    await createKey({
      name: "atlas on build-07",
      role: "Editor",
      agentId: "atlas",
      projects: ["web", "media"],
      expiresAt: inDays(3),
    });
    await createKey({ name: "Rosa", role: "Admin", userId: "rosa", expiresAt: inDays(80) });
    await createKey({ name: `<b>${"long".repeat(30)}`, role: "Viewer", projects: ["data"] });
  });
  afterAll(async () => {
    for (const end of endings) await end();
  });

  it("[dashboard.keys] a key is created by keyboard, shown once, works, and is revoked after a confirmation", async () => {
    const page = await screens.open("/inbox");
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("k");
    await row(page, "Prometheus").waitFor();
    await page.keyboard.press("n");
    await page.getByLabel("Name").waitFor();
    await page.keyboard.type("scribe on a laptop");
    // The server rejects the key, and the form retains the typed text.
    await page.getByLabel("Agent", { exact: true }).fill("no such agent/");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByRole("alert").waitFor();
    assert.strictEqual(await page.getByLabel("Name").inputValue(), "scribe on a laptop");
    await page.getByLabel("Agent", { exact: true }).fill("");
    await page.keyboard.press("Control+Enter");
    // The browser reports the missing agent.
    await page.locator("input:invalid:focus").waitFor();
    await page.getByLabel("Agent", { exact: true }).fill("scribe");
    await page.keyboard.press("Escape");
    const projects = page.getByRole("combobox", { name: "Projects" });
    await projects.fill("we");
    await page.getByRole("option", { name: "web" }).click();
    await page.getByRole("button", { name: "Remove web" }).waitFor();
    await projects.fill("media,");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Remove media" }).click();
    // The field has the focus that the removed button had.
    await projects.and(page.locator(":focus")).waitFor();
    await projects.fill("data");
    await shoot(page, "key-projects");
    // The dialog itself has the focus, as after the removal of a focused element.
    await page.getByRole("dialog", { name: "New key" }).focus();
    await page.keyboard.press("Control+Enter");
    const key = page.getByLabel("API key", { exact: true });
    await key.waitFor();
    await shoot(page, "key-created");
    await assertAccessible(page);
    const secret = await key.inputValue();
    // Escape does not close the dialog.
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Copy", exact: true }).click();
    const session = await as(screens.server, secret)("GET", "/api/session");
    assert.deepInclude(session.body.principal, { agentId: "scribe", projects: ["web", "data"] });
    await page.getByRole("button", { name: "Done" }).click();
    await row(page, "scribe on a laptop").getByText("in 3mo").waitFor();
    assert.notInclude(await page.content(), secret);

    await row(page, "scribe on a laptop").focus();
    await page.keyboard.press("Delete");
    const confirm = page.getByRole("dialog", { name: "Revoke this key?" });
    await confirm.getByText("tool calls of the agent scribe").waitFor();
    await assertAccessible(page);
    await shoot(page, "key-revoke");
    await confirm.getByRole("button", { name: "Revoke key" }).click();
    // While it is open, the rows behind it have no role.
    await confirm.waitFor({ state: "detached" });
    await row(page, "scribe on a laptop").waitFor({ state: "detached" });
    assert.strictEqual((await as(screens.server, secret)("GET", "/api/session")).status, 401);
  });

  it("[dashboard.keys] the last Owner key is not revoked, with the API's message", async () => {
    const page = await screens.open("/keys");
    const { body } = await screens.call("GET", "/api/keys?limit=500");
    const { name } = body.find(({ role }: { readonly role: string }) => role === "Owner");
    await page.getByRole("button", { name: `Revoke ${name}` }).click();
    const dialog = page.getByRole("dialog", { name: "Revoke this key?" });
    await dialog.getByText("this signs you out").waitFor();
    await dialog.getByRole("button", { name: "Revoke key" }).click();
    await dialog.getByRole("alert").filter({ hasText: /Owner/ }).waitFor();
  });

  it("[dashboard.keys] a role that may not manage keys is shown the reason, and still sees its sessions", async () => {
    const { key } = await createKey({ name: "Reader", role: "Viewer" });
    const page = await screens.open("/keys", { key });
    await page.getByRole("alert").waitFor();
    const { body } = await as(screens.server, key)("GET", "/api/keys");
    assert.include(await page.getByRole("alert").textContent(), body.detail);
    assert.strictEqual(await page.getByRole("button", { name: "New key" }).count(), 0);
    await shoot(page, "keys-refused");
    await page.getByRole("tab", { name: "Sessions" }).click();
    await page.getByText("This browser").waitFor();
  });

  it("[dashboard.sessions] the other sessions of the key end, and this one continues", async () => {
    const { key, id } = await createKey({ name: "Mara", role: "Editor", userId: "mara" });
    const page = await screens.open("/keys?view=sessions", { key });
    await page.getByText("This browser").waitFor();
    for (let count = 0; count < 2; count++) {
      await as(screens.server, undefined)("POST", "/api/session", { body: { apiKey: key } });
    }
    await page.reload();
    const sessions = page.getByRole("article", { name: "Session of mara" });
    await sessions.nth(2).waitFor();
    await sessions.first().getByText("This browser").waitFor();
    await sessions.nth(1).getByRole("button", { name: "End" }).click();
    await sessions.nth(2).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "End all others" }).click();
    await sessions.nth(1).waitFor({ state: "detached" });
    await page.reload();
    await page.getByText("This browser").waitFor();
    assert.strictEqual(await sessions.count(), 1);

    const owner = await screens.open("/keys?view=sessions");
    const others = owner.getByRole("region", { name: "Sessions of other keys" });
    await others.getByText(id).waitFor();
    await others
      .getByRole("article", { name: "Session of mara" })
      .getByRole("button", { name: "End" })
      .click();
    await page.getByRole("dialog", { name: "Your session has ended" }).waitFor();
  });

  for (const { size, theme } of opposites) {
    it(`[dashboard.accessible] keys, their form and sessions are accessible, ${theme} and ${size}`, async () => {
      const page = await screens.open("/keys", { theme, size });
      await row(page, "Prometheus").waitFor();
      await assertAccessible(page);
      const width = Number(await page.evaluate("document.documentElement.scrollWidth"));
      assert.isAtMost(width, sizes[size].width);
      await shoot(page, `keys-${theme}-${size}`);
      await page.getByRole("button", { name: "New key" }).click();
      await page.getByLabel("Name").waitFor();
      await assertAccessible(page);
      await shoot(page, `keys-create-${theme}-${size}`);
      await page.keyboard.press("Escape");
      await page.getByRole("tab", { name: "Sessions" }).click();
      await page.getByText("This browser").waitFor();
      await assertAccessible(page);
      await shoot(page, `sessions-${theme}-${size}`);
    });
  }
});
