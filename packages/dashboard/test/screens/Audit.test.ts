import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { assertAccessible } from "../support/Axe.ts";
import { hasBrowser } from "../support/Browser.ts";
import { type Screens, shoot, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];
let screens: Screens;
let adminKey: string;
let boundKey: string;

const createKey = async (fields: object) => {
  const { body, text } = await screens.call("POST", "/api/keys", fields);
  assert.isString(body.key, text);
  return body.key as string;
};

describe.runIf(hasBrowser)("the audit log", () => {
  beforeAll(async () => {
    screens = await start((end) => endings.unshift(end));
    adminKey = await createKey({ name: "Rosa's key", role: "Admin", userId: "rosa" });
    boundKey = await createKey({ name: "Bound", role: "Admin", projects: ["web"] });
    await screens.call("PUT", "/api/projects/web", { agentsMay: "review", name: "Web" });
  });
  afterAll(async () => {
    for (const end of endings) await end();
  });

  it("[page.audit] an Admin sees who changed what, by kind and by actor", async () => {
    const page = await screens.open("/inbox", { key: adminKey });
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("l");
    const entry = (name: string | RegExp) => page.getByRole("article", { name });
    await entry("rosa signed in").waitFor();
    await entry("Owner created the key Rosa's key").waitFor();
    await entry("Owner changed the project Web").getByText("name, agentsMay").waitFor();
    await assertAccessible(page);
    await shoot(page, "audit");
    await page.keyboard.press("f");
    await page.getByRole("menuitem", { name: "Projects" }).click();
    await entry("rosa signed in").waitFor({ state: "detached" });
    await entry(/./).first().waitFor();
    assert.strictEqual(await entry(/./).count(), 1);
    await page.goto(`${screens.server.url}/audit?kind=session`);
    await page.getByRole("button", { name: "You" }).first().click();
    await page.getByRole("button", { name: "Remove the filter rosa" }).waitFor();
    assert.match(page.url(), /kind=session&actor=rosa$/);
  });

  it("[page.audit.hidden] other users have no entry of the audit log in the navigation", async () => {
    const page = await screens.open("/inbox", { key: boundKey });
    await page.getByRole("link", { name: "Keys" }).waitFor();
    assert.strictEqual(await page.getByRole("link", { name: "Audit log" }).count(), 0);
  });
});
