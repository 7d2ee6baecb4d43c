import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import type { Page } from "playwright-core";
import { assertAccessible } from "../support/Axe.ts";
import { hasBrowser } from "../support/Browser.ts";
import { env } from "../support/Fixtures.ts";
import { type Screens, shoot, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];
let screens: Screens;

const views = async (): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>> =>
  (await screens.call("GET", "/api/views")).body;

const inNavigation = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Saved views" }).getByRole("link", { name });

describe.runIf(hasBrowser)("saved views", () => {
  beforeAll(async () => {
    screens = await start((end) => endings.unshift(end), env);
    for (const [title, priority] of [
      ["Urgent one", "urgent"],
      ["Low one", "low"],
    ]) {
      await screens.call("POST", "/api/projects/views/issues", { title, priority });
    }
  }, 60_000);
  afterAll(async () => {
    for (const end of endings) await end();
  });

  it("[dashboard.views] a list is saved as a view in the navigation, renamed, shared and deleted", async () => {
    const page = await screens.open("/work?project=views&view=list&priority=urgent&sort=updated");
    await page.getByRole("article", { name: "Urgent one" }).waitFor();
    await page.getByRole("button", { name: "Save view" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Burning");
    await page.keyboard.press("Enter");
    await inNavigation(page, "Burning").waitFor();
    const [view] = await views();
    assert.strictEqual(view?.["name"], "Burning");
    assert.strictEqual(view?.["projectId"], null);

    await page.goto(new URL("./inbox", page.url()).href);
    await inNavigation(page, "Burning").click();
    await page.getByRole("article", { name: "Urgent one" }).waitFor();
    assert.include(page.url(), "sort=updated");
    assert.strictEqual(await page.getByRole("article").count(), 1);

    await page.getByRole("button", { name: "Burning" }).click();
    await page.getByRole("menuitem", { name: "Rename or share the view" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Urgent of all");
    await page.getByRole("combobox", { name: "For" }).click();
    await page.getByRole("option", { name: "Everyone in views" }).click();
    await assertAccessible(page);
    await shoot(page, "view-dialog");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await inNavigation(page, "Urgent of all").waitFor();
    const [shared] = await views();
    assert.deepInclude(shared, { id: view?.["id"], name: "Urgent of all", projectId: "views" });

    await page.getByRole("button", { name: "Urgent of all" }).click();
    await page.getByRole("menuitem", { name: "Delete the view" }).click();
    await page.getByText("Everyone in views loses the view.").waitFor();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("button", { name: "Save view" }).waitFor();
    assert.strictEqual(await inNavigation(page, "Urgent of all").count(), 0);
    assert.deepStrictEqual(await views(), []);
  });

  it("[dashboard.views.live] a view that another person shares, renames or deletes changes without a reload", async () => {
    const page = await screens.open("/inbox");
    await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
    const input = { name: "By a colleague", query: "view=list", projectId: "views" };
    const { body } = await screens.call("POST", "/api/views", input);
    await inNavigation(page, "By a colleague").waitFor();
    await screens.call("PUT", `/api/views/${body.id}`, { name: "Renamed by a colleague" });
    await inNavigation(page, "Renamed by a colleague").waitFor();
    await screens.call("DELETE", `/api/views/${body.id}`);
    await inNavigation(page, "Renamed by a colleague").waitFor({ state: "detached" });
  });

  it("[dashboard.views.unknown] a view opens without the parameters that the page does not know", async () => {
    const query = "view=list&project=views&priority=low&shape=round";
    await screens.call("POST", "/api/views", { name: "From elsewhere", query });
    const page = await screens.open("/inbox");
    await inNavigation(page, "From elsewhere").click();
    await page.getByRole("article", { name: "Low one" }).waitFor();
    assert.notInclude(page.url(), "shape");
    await page.getByRole("button", { name: "From elsewhere" }).waitFor();
  });
});
