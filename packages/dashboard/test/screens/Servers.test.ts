import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { assertAccessible } from "../support/Axe.ts";
import { hasBrowser } from "../support/Browser.ts";
import { createEntry, env, install } from "../support/Fixtures.ts";
import { type Screens, shoot, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];
let screens: Screens;

describe.runIf(hasBrowser)("servers", () => {
  beforeAll(async () => {
    screens = await start((end) => endings.unshift(end), env);
    await createEntry(screens, "echo");
    await createEntry(screens, "licensed", "refuses");
    await createEntry(screens, "shifting", "changes");
    await createEntry(screens, "vault", "good", {
      name: "Vault",
      installInstructions: "Create a token in the **settings** of Vault.",
      homepage: "javascript:alert(1)",
      envVars: [
        { name: "VAULT_TOKEN", description: "Token of a user", required: true, secret: true },
        { name: "VAULT_URL", description: "Where it is", required: false, secret: false },
      ],
    });
    await install(screens, "echo", { name: "notes" });
    const licensed = await install(screens, "licensed");
    await screens.call("POST", `/api/mcp/installed/${licensed}/verify`);
    const shifting = await install(screens, "shifting");
    await screens.call("POST", `/api/mcp/installed/${shifting}/enable`);
    await screens.call("POST", `/api/mcp/installed/${shifting}/verify`);
  });
  afterAll(async () => {
    for (const end of endings) await end();
  });

  it("[dashboard.servers.install] an entry is found, shows warnings, and is installed and verified by its form", async () => {
    const page = await screens.open("/servers");
    await page.getByRole("heading", { name: "Servers" }).waitFor();
    await page.keyboard.press("n");
    await page
      .getByRole("link", { name: /GitHub/ })
      .first()
      .waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("vault");
    await page
      .getByRole("link", { name: /GitHub/ })
      .first()
      .waitFor({ state: "detached" });
    assert.include(page.url(), "q=vault");
    await page.getByRole("link", { name: /^Vault/ }).click();
    await page
      .getByRole("list", { name: "Warnings" })
      .getByText(/This entry is unverified/)
      .waitFor();
    await page.getByText("settings").waitFor();
    assert.strictEqual(await page.locator("a[href^=javascript]").count(), 0);
    await page.getByText("quartermaster server install vault --env VAULT_TOKEN").waitFor();
    const token = page.getByLabel("VAULT_TOKEN (required)");
    assert.strictEqual(await token.getAttribute("type"), "password");
    await token.fill("canary-secret");
    await page.getByLabel("Name").fill("notes");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText(/name/i).waitFor();
    assert.strictEqual(await token.inputValue(), "canary-secret");
    await page.getByLabel("Name").fill("own-vault");
    await page.getByRole("button", { name: "Install", exact: true }).click();
    await page.getByRole("heading", { name: "own-vault" }).waitFor();
    const verification = page.getByRole("region", { name: "Verification" });
    await verification.getByText("OK", { exact: true }).waitFor();
    assert.notInclude(await page.content(), "canary-secret");
  });

  it("[dashboard.servers] a server is found, verified, enabled and disabled only by keyboard", async () => {
    const page = await screens.open("/inbox");
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("s");
    const rows = page.getByRole("list", { name: "Installed servers" });
    await rows.getByText("Not verified").waitFor();
    await page.getByText("Transport", { exact: true }).waitFor();
    await rows.getByText(/The service does not retry automatically/).waitFor();
    await rows.locator("code").getByText("initialize", { exact: true }).waitFor();
    const since = rows.locator("time").first();
    assert.match((await since.textContent()) ?? "", /^(less than a minute|\d+m)$/);
    assert.match((await since.getAttribute("title")) ?? "", /^Since .*\d{4}/);
    await rows.getByText(/no licence/).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "notes" }).waitFor();
    await page.keyboard.press("Shift+V");
    const verification = page.getByRole("region", { name: "Verification" });
    await verification.getByText("echo", { exact: true }).waitFor();
    await verification.getByText("OK", { exact: true }).waitFor();
    await page.keyboard.press("Shift+E");
    await page.getByText("Enabled", { exact: true }).waitFor();
    const note = page.getByRole("region", { name: "Access" });
    await note.getByText("no agent has access to it").waitFor();
    const access = await note.getByRole("link", { name: "Grant access" }).getAttribute("href");
    assert.include(access ?? "", "tab=access");
    const [{ status }] = (await screens.call("GET", "/api/mcp/installed")).body;
    assert.strictEqual(status, "enabled");
    await page.keyboard.press("Shift+E");
    await page.getByText("Disabled", { exact: true }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("combobox").waitFor();
    await page.keyboard.type("shifting");
    await page.getByRole("option", { name: "shifting" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "shifting" }).waitFor();
  });

  for (const [theme, size] of [
    ["light", "wide"],
    ["dark", "narrow"],
  ] as const) {
    it(`[dashboard.accessible] servers are accessible, ${theme} and ${size}`, async () => {
      const page = await screens.open("/servers", { theme, size });
      await page.getByText("licensed").first().waitFor();
      await assertAccessible(page);
      await shoot(page, `servers-${theme}-${size}`);
      await page.getByRole("link", { name: /licensed/ }).click();
      await page.getByRole("region", { name: "Verification" }).waitFor();
      await page.getByRole("button", { name: "Retry" }).waitFor();
      await page
        .getByText(/^Down for (less than a minute|\d+m)\. The service does not retry/)
        .waitFor();
      await assertAccessible(page);
      await shoot(page, `server-error-${theme}-${size}`);
      await page.goto(`${screens.server.url}/servers/catalog?category=saas`);
      await page
        .getByRole("link", { name: /GitHub/ })
        .first()
        .waitFor();
      await assertAccessible(page);
      await shoot(page, `catalog-${theme}-${size}`);
      await page.goto(`${screens.server.url}/servers/catalog/vault`);
      await page.getByRole("button", { name: "Install", exact: true }).waitFor();
      await page.getByRole("list", { name: "Warnings" }).waitFor();
      await assertAccessible(page);
      await shoot(page, `entry-${theme}-${size}`);
    });
  }
});
