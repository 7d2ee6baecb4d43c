import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import * as Provider from "../../../http/test/oauth/Provider.ts";
import { assertAccessible } from "../support/Axe.ts";
import { hasBrowser } from "../support/Browser.ts";
import { createEntry, env } from "../support/Fixtures.ts";
import { type Screens, shoot, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];
let screens: Screens;
let provider: Provider.Provider;

describe.runIf(hasBrowser)("servers of others", () => {
  beforeAll(async () => {
    provider = await Provider.start();
    endings.unshift(() => provider.close());
    screens = await start((end) => endings.unshift(end), env);
    await createEntry(screens, "board", "", {
      transport: "http",
      manifest: { url: `${provider.url}/mcp`, headers: {} },
    });
  });
  afterAll(async () => {
    for (const end of endings) await end();
  });

  it("[dashboard.servers.import] a pasted configuration is shown without values, then imported", async () => {
    const page = await screens.open("/servers", { theme: "dark", size: "narrow" });
    await page.getByRole("heading", { name: "No servers yet" }).waitFor();
    await page.keyboard.press("Shift+N");
    const dialog = page.getByRole("dialog", { name: "Import servers" });
    const input = dialog.getByLabel("Configuration");
    await input.fill("{ not json");
    await dialog.getByText(/This is not valid JSON/).waitFor();
    await input.fill(
      `model = "o3"\n[mcp_servers."my-notes"]\ncommand = "npx"\nargs = ["-y", "@example/notes"]\n[mcp_servers."my-notes".env]\nKEY = "canary-toml"\n`,
    );
    const preview = dialog.getByRole("region", { name: "Preview" });
    await preview.getByText("npx @example/notes").waitFor();
    await preview.getByText("Imports KEY").waitFor();
    const environmentVariables = [{ name: "TELEMETRY", value: "off" }, { name: "API_KEY" }];
    const packages = [{ registryType: "npm", environmentVariables }];
    await input.fill(JSON.stringify({ name: "io.github.ada/weather", packages }));
    await preview.getByText("The program gets this variable from its publisher").waitFor();
    await preview.getByText("TELEMETRY=off", { exact: true }).waitFor();
    await input.fill(
      JSON.stringify({
        theme: "dark",
        mcpServers: {
          "Our Board": { url: `${provider.url}/mcp` },
          other: { command: "npx", args: ["-y", "@example/other"], env: { TOKEN: "canary-json" } },
        },
      }),
    );
    await preview.getByText("Our Board").waitFor();
    assert.notInclude((await preview.textContent()) ?? "", "canary");
    await assertAccessible(page);
    await shoot(page, "import-dark-narrow");
    await dialog.getByRole("button", { name: "Import matching servers" }).click();
    const results = page.getByRole("list", { name: "Results" });
    await results.getByText("Skipped").waitFor();
    await shoot(page, "imported-dark-narrow");
    await results.getByRole("link", { name: "Open our-board" }).click();
    await page.getByRole("heading", { name: "our-board" }).waitFor();
  });

  it("[dashboard.servers.authorize] after the consent in another tab the server is authorized and verified", async () => {
    const page = await screens.open("/servers");
    await page.getByRole("link", { name: /our-board/ }).click();
    await page.getByRole("heading", { name: "our-board" }).waitFor();
    await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
    await page.getByRole("button", { name: "Verify" }).click();
    const section = page.getByRole("region", { name: "Authorization" });
    await section.getByText("Required").waitFor();
    await assertAccessible(page);
    await shoot(page, "authorize-light-wide");
    const tab = page.context().waitForEvent("page");
    await section.getByRole("button", { name: "Authorize" }).click();
    const consent = await tab;
    await consent.waitForURL(/\/oauth\/callback/);
    await section.getByText("Authorized", { exact: true }).waitFor();
    const verification = page.getByRole("region", { name: "Verification" });
    await verification.getByText("OK", { exact: true }).waitFor();
    await shoot(page, "authorized-light-wide");
  });
});
