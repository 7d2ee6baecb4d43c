import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest";
import { assertAccessible } from "../support/Axe.ts";
import { hasBrowser } from "../support/Browser.ts";
import { createEntry, entryOf, env, install } from "../support/Fixtures.ts";
import { type Screens, shoot, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];
let screens: Screens;
let id: string;

const token = { name: "TOKEN", description: "Token of a user", required: true, secret: true };
const zone = { name: "ZONE", description: "Where", required: false, secret: false };
const team = { name: "TEAM", description: "Whose notes", required: true, secret: false };

describe.runIf(hasBrowser)("a server", () => {
  beforeAll(async () => {
    screens = await start((end) => endings.unshift(end), env);
    const { call } = screens;
    await createEntry(screens, "echo", "good", { envVars: [token, zone] });
    id = await install(screens, "echo", {
      name: "notes",
      envValues: { TOKEN: "canary-one", ZONE: "north" },
    });
    const at = `/api/mcp/installed/${id}`;
    await call("POST", `${at}/verify?accept=true`);
    await call("POST", `${at}/enable`);
    await call("POST", "/api/agents/atlas/heartbeat", {});
    await call("PUT", `${at}/access`, { entries: [{ agentId: "atlas", granted: true }] });
    const { body } = await call("GET", "/api/agents/atlas/tools");
    const [echo, slow] = body.tools;
    for (const steps of [0, 2, 6]) {
      await call("POST", "/api/agents/atlas/tools/call", {
        name: slow.name,
        arguments: { steps, every: 20 },
      });
    }
    await call("POST", "/api/agents/atlas/tools/call", { name: echo.name, arguments: {} });
    await call("POST", `${at}/disable`);
    await call("POST", "/api/agents/atlas/tools/call", { name: echo.name, arguments: {} });
  });
  afterAll(async () => {
    for (const end of endings) await end();
  });

  it("[dashboard.servers.calls] [dashboard.sparklines] the calls of a server have their state, agent and duration", async () => {
    const list = await screens.open("/servers");
    await list.getByRole("img", { name: /^Last 5 calls: 1 failed, median/ }).waitFor();
    const page = await screens.open(`/servers/${id}`, { theme: "dark", size: "narrow" });
    await page.getByRole("tab", { name: "Calls" }).click();
    await page.getByText(/^5 calls, 1 failed, median/).waitFor();
    await page.getByRole("img", { name: /^Latency: 5 calls/ }).waitFor();
    await page.getByText("Not enabled").waitFor();
    await page.getByText("atlas").first().waitFor();
    assert.include(page.url(), "tab=calls");
    await assertAccessible(page);
    await shoot(page, "calls-dark-narrow");
    await page.setViewportSize({ width: 1_440, height: 900 });
    await shoot(page, "calls-dark-wide");
    // The list scrolls, and no row has the focus.
    await page.setViewportSize({ width: 1_440, height: 460 });
    await assertAccessible(page);
  });

  it("[dashboard.servers.change] values, limits and the version are changed, and a refusal loses nothing", async () => {
    const { call } = screens;
    const page = await screens.open(`/servers/${id}`);
    const variables = page.getByRole("form", { name: "Variables" });
    const secret = variables.getByLabel("TOKEN");
    await variables.getByText("Token of a user").waitFor();
    await variables.getByText("never shown again, secret or not").waitFor();
    assert.isTrue(await variables.getByRole("button", { name: "Save and verify" }).isDisabled());
    assert.strictEqual(await secret.inputValue(), "");
    assert.strictEqual(await secret.getAttribute("type"), "password");
    await variables.getByRole("button", { name: "Remove the value of ZONE" }).click();
    await secret.fill("canary-two");
    await page.keyboard.press("Enter");
    await page.getByText("Variables saved").first().waitFor();
    const stored = (await call("GET", `/api/mcp/installed/${id}`)).body.env;
    assert.deepStrictEqual(stored, [
      { name: "TOKEN", isSet: true },
      { name: "ZONE", isSet: false },
    ]);

    const { verifiedAt } = (await call("GET", `/api/mcp/installed/${id}`)).body.lastVerification;
    await variables.getByLabel("ZONE").fill("south");
    await variables.getByRole("button", { name: "Save and verify" }).click();
    await vi.waitFor(
      async () => {
        const { body } = await call("GET", `/api/mcp/installed/${id}`);
        assert.notStrictEqual(body.lastVerification.verifiedAt, verifiedAt);
        assert.deepInclude(body.env, { name: "ZONE", isSet: true });
      },
      { timeout: 15_000 },
    );

    const limits = page.getByRole("form", { name: "Name and limits" });
    await limits.getByLabel("Name").fill("No Name");
    await limits.getByLabel("Maximum result size").fill("1000");
    await page.keyboard.press("Enter");
    await limits.getByRole("alert").waitFor();
    assert.strictEqual(await limits.getByLabel("Maximum result size").inputValue(), "1000");
    await limits.getByLabel("Name").fill("ledger");
    await limits.getByLabel("End calls without progress").fill("601");
    await limits.getByLabel("End every call").fill("900");
    await limits.getByRole("button", { name: "Save settings" }).click();
    await page.getByRole("heading", { name: "ledger" }).waitFor();
    await limits.getByText(/callTimeoutSeconds is 601, but Claude Code, /).waitFor();
    assert.deepInclude((await call("GET", `/api/mcp/installed/${id}`)).body, {
      callTimeoutSeconds: 601,
      callMaxSeconds: 900,
    });

    await call(
      "PUT",
      "/api/mcp/catalog/echo",
      entryOf("echo", "changes", { envVars: [token, team] }),
    );
    const update = page.getByRole("form", { name: "Update" });
    await update.getByText("New variables: TEAM.").waitFor();
    await update.getByText("Removed variables: ZONE.").waitFor();
    await assertAccessible(page);
    await shoot(page, "overview-light-wide");
    const facts = await page.getByRole("region", { name: "About" }).boundingBox();
    const settings = await page.getByRole("form", { name: "Name and limits" }).boundingBox();
    assert.isBelow((facts?.x ?? 0) + (facts?.width ?? 0), settings?.x ?? 0);
    await update.getByLabel("TEAM (required)").fill("ops");
    await update.getByRole("button", { name: "Update" }).click();
    await update.waitFor({ state: "detached" });

    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("combobox").waitFor();
    await page.keyboard.type("uninstall");
    await page.getByRole("option", { name: "Uninstall ledger" }).waitFor();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Uninstall ledger?" });
    await dialog.getByText(/2 stored values and its tokens are deleted/).waitFor();
    await shoot(page, "uninstall-light-wide");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("heading", { name: "No servers yet" }).waitFor();
    assert.notInclude(await page.content(), "canary");
  });
});
