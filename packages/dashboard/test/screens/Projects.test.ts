import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { assertAccessible } from "../support/Axe.ts";
import { hasBrowser } from "../support/Browser.ts";
import { type Screens, seed, shoot, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];
let screens: Screens;

const projectOf = async (id: string) => (await screens.call("GET", `/api/projects/${id}`)).body;

describe.runIf(hasBrowser)("projects", () => {
  beforeAll(async () => {
    screens = await start((end) => endings.unshift(end));
    await seed(screens);
  });
  afterAll(async () => {
    for (const end of endings) await end();
  });

  it("[page.projects] a project is created, paused, changed and deleted by keyboard", async () => {
    const page = await screens.open("/inbox");
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("p");
    await page
      .getByRole("article", { name: "web" })
      .getByText(/^[1-9] open$/)
      .waitFor();
    for (const head of ["Project", "State", "Issues", "Last change"]) {
      await page.getByRole("main").getByText(head, { exact: true }).waitFor();
    }
    await page.keyboard.press("n");
    await page.getByLabel("Id").fill("no such/");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByRole("alert").waitFor();
    await page.getByLabel("Id").fill("billing");
    await page.getByLabel("Name").fill("Billing");
    await page.getByLabel("Prefix").fill("bil");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Billing" }).waitFor();
    assert.deepInclude(await projectOf("billing"), { name: "Billing", prefix: "BIL" });
    await assertAccessible(page);
    await shoot(page, "projects");

    await page.getByRole("link", { name: "Billing" }).focus();
    await page.keyboard.press("Shift+P");
    await page.getByRole("article", { name: "Billing" }).getByText("Paused").waitFor();
    assert.isTrue((await projectOf("billing")).paused);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Billing" }).waitFor();
    await page.getByRole("button", { name: "Resume", exact: true }).waitFor();
    await page.keyboard.press("Shift+P");
    await page.getByRole("button", { name: "Pause" }).waitFor();
    const settings = await page.getByRole("form", { name: "Settings" }).boundingBox();
    assert.isAbove(settings?.width ?? 0, 800);
    await page.getByLabel("Description").fill("Invoices and refunds.");
    await page.getByRole("combobox", { name: "Agents may" }).click();
    await page.getByRole("option", { name: "Only hand in for review" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Project saved").waitFor();
    await assertAccessible(page);
    await shoot(page, "project");
    assert.deepInclude(await projectOf("billing"), {
      paused: false,
      agentsMay: "review",
      description: "Invoices and refunds.",
    });
    await page.getByRole("button", { name: "Delete the project" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Delete the project Billing" });
    await dialog.getByText("The prefix BIL stays reserved").waitFor();
    await assertAccessible(page);
    await page.keyboard.press("Control+Enter");
    await page.getByRole("heading", { name: "Projects", exact: true }).waitFor();
    await page.getByText("Billing deleted").waitFor();
    assert.strictEqual((await projectOf("billing")).status, 404);
  });

  it("[page.projects.in-use] a project with issues is not deleted, and the dialog says why", async () => {
    const page = await screens.open("/projects/web");
    await page.getByRole("button", { name: "Delete the project" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("alert").getByText("Delete them, or move them").waitFor();
  });

  it("[page.projects.viewer] a Viewer sees the projects and changes nothing", async () => {
    const { body } = await screens.call("POST", "/api/keys", { name: "Eve", role: "Viewer" });
    const page = await screens.open("/projects", { key: body.key });
    await page.getByRole("link", { name: "web" }).click();
    await page.getByRole("form", { name: "Settings" }).waitFor();
    assert.strictEqual(await page.getByRole("button", { name: /^(Pause|Save)$/ }).count(), 0);
  });
});
