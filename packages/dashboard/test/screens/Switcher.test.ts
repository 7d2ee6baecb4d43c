import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import type { Page } from "playwright-core";
import { assertAccessible } from "../support/Axe.ts";
import { hasBrowser } from "../support/Browser.ts";
import { type Screens, seed, shoot, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];
let screens: Screens;

const card = (page: Page, name: string) => page.getByRole("article", { name });
const media = "Move image resizing to a worker";
const web = "Rotate the signing keys before the certificate expires";

/** Chooses an entry of the switcher by keyboard. */
const choose = async (page: Page, text: string) => {
  await page.keyboard.press("Shift+S");
  await page.getByRole("combobox", { name: "Choose a project…" }).fill(text);
  await page.getByRole("option", { name: text }).waitFor();
  await page.keyboard.press("Enter");
};

describe.runIf(hasBrowser)("the switcher of projects", () => {
  beforeAll(async () => {
    screens = await start((end) => endings.unshift(end));
    await seed(screens);
  });
  afterAll(async () => {
    for (const end of endings) await end();
  });

  it("[page.switcher] the chosen project holds on every screen and after a reload, until an address names another", async () => {
    const page = await screens.open("/work");
    await card(page, web).waitFor();
    await choose(page, "media");
    await card(page, media).waitFor();
    await card(page, web).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Switch project, now media" }).waitFor();
    await assertAccessible(page);
    await shoot(page, "switcher");
    for (const [keys, ready] of [
      ["i", page.getByText("Nothing matches")],
      ["d", page.getByRole("button", { name: "Project: media" })],
      ["o", page.getByRole("heading", { name: "Overview" })],
    ] as const) {
      await page.keyboard.press("g");
      await page.keyboard.press(keys);
      await ready.waitFor();
    }
    await page.goto(`${screens.server.url}/work?project=web`);
    await card(page, web).waitFor();
    await page.goto(`${screens.server.url}/work`);
    await card(page, media).waitFor();
    await page.keyboard.press("c");
    const dialog = page.getByRole("dialog", { name: "New issue" });
    assert.strictEqual(await dialog.getByLabel("Project").inputValue(), "media");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.goto(`${screens.server.url}/work?project=media`);
    await card(page, media).waitFor();
    await choose(page, "All projects");
    await page.getByRole("button", { name: "Switch project, now All projects" }).waitFor();
    await card(page, web).waitFor();
  });

  it("[page.switcher.new] every picker of projects has an entry for a new one, and chooses it", async () => {
    const page = await screens.open("/overview");
    const creation = page.getByRole("dialog", { name: "New project" });
    const create = async (id: string) => {
      await creation.getByLabel("Id").fill(id);
      await page.keyboard.press("Enter");
      await creation.waitFor({ state: "detached" });
    };
    await page.getByRole("button", { name: "Project: All projects" }).click();
    await page.getByRole("menuitem", { name: "New project…" }).click();
    await create("of-overview");
    await page.getByRole("button", { name: "Project: of-overview" }).waitFor();
    await page.goto(`${screens.server.url}/graph?project=web`);
    await page.getByRole("button", { name: "Project: web" }).click();
    await page.getByRole("menuitem", { name: "New project…" }).click();
    await create("of-graph");
    await page.getByRole("button", { name: "Project: of-graph" }).waitFor();
    await page.goto(`${screens.server.url}/work`);
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await page.getByRole("combobox", { name: "Filter" }).fill("New project");
    await page.keyboard.press("Enter");
    await create("of-filter");
    await page.getByRole("button", { name: /of-filter/ }).waitFor();
    await page.goto(`${screens.server.url}/keys`);
    await page.getByRole("button", { name: "New key" }).click();
    const form = page.getByRole("dialog", { name: "New key" });
    await form.getByRole("button", { name: "New project…" }).click();
    await create("of-key");
    await form.getByText("of-key").waitFor();
  });

  it("[page.switcher.new] a project is created by an entry of its own, never by a new issue", async () => {
    const page = await screens.open("/agents");
    await page.getByRole("heading", { name: "Agents" }).waitFor();
    await choose(page, "New project");
    const creation = page.getByRole("dialog", { name: "New project" });
    await creation.getByLabel("Id").fill("docs");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Switch project, now docs" }).waitFor();
    await page.keyboard.press("c");
    const dialog = page.getByRole("dialog", { name: "New issue" });
    await dialog.getByLabel("Title").fill("Write the guide");
    await dialog.getByLabel("Project").fill("dosc");
    await page.keyboard.press("Control+Enter");
    await creation.waitFor();
    assert.strictEqual(await creation.getByLabel("Id").inputValue(), "dosc");
    await page.keyboard.press("Escape");
    await creation.waitFor({ state: "detached" });
    const unknown = await screens.call("GET", "/api/projects/dosc");
    assert.strictEqual(unknown.status, 404);
    await dialog.getByLabel("Project").fill("docs");
    await page.keyboard.press("Control+Enter");
    await dialog.waitFor({ state: "detached" });
    const { body } = await screens.call("GET", "/api/projects/docs/issues");
    assert.lengthOf(body, 1);
  });
});
