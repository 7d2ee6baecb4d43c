import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import type { Page } from "playwright-core";
import { assertAccessible } from "../support/Axe.ts";
import { hasBrowser } from "../support/Browser.ts";
import { env } from "../support/Fixtures.ts";
import { type Screens, shoot, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];
let screens: Screens;

const create = async (title: string, fields: object = {}) =>
  (await screens.call("POST", "/api/projects/lists/issues", { title, ...fields })).body;

const row = (page: Page, name: string) => page.getByRole("article", { name, exact: true });
const titles = (page: Page) =>
  page
    .getByRole("article")
    .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? ""));

const filter = async (page: Page, query: string) => {
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.getByRole("combobox", { name: "Filter" }).fill(query);
  await page.keyboard.press("Enter");
  await page.getByRole("combobox", { name: "Filter" }).waitFor({ state: "detached" });
};

describe.runIf(hasBrowser)("lists", () => {
  beforeAll(async () => {
    screens = await start((end) => endings.unshift(end), env);
    await create("Low", { priority: "low", labels: ["bug", "a,b"] });
    const done = await create("Done", { priority: "urgent" });
    await create("Urgent", { priority: "urgent", assignedAgentId: "atlas" });
    await screens.call("PUT", `/api/projects/issues/${done.id}`, { status: "Resolved" });
  }, 60_000);
  afterAll(async () => {
    for (const end of endings) await end();
  });

  it("[dashboard.list.snippet] a search in the list shows where it found its words, also after a change of the issue", async () => {
    const {
      body: { id },
    } = await screens.call("POST", "/api/projects/found/issues", {
      title: "Lantern",
      description: "The quick brownish fox jumps.",
    });
    const page = await screens.open("/work?project=found&view=list&q=brownish");
    const found = row(page, "Lantern");
    await found.getByText("brownish").waitFor();
    assert.strictEqual(await found.locator("mark").innerText(), "brownish");
    await screens.call("PUT", `/api/projects/issues/${id}`, { priority: "high" });
    await found.getByRole("img", { name: /high/i }).waitFor();
    assert.strictEqual(await found.locator("mark").innerText(), "brownish");
    await page.goto(`${screens.server.url}/work?project=found&view=list&q=lantern`);
    await found.getByRole("link").locator("mark").waitFor();
    await assertAccessible(page);
  });

  it("[dashboard.filters.values] the filter menu has a search, filters take several values, and a chip excludes its value", async () => {
    const page = await screens.open("/work?project=lists&view=list");
    const key = await row(page, "Low").getByText("LISTS-1").boundingBox();
    const title = await row(page, "Low").getByRole("link", { name: "Low" }).boundingBox();
    assert.isBelow((key?.x ?? 0) + (key?.width ?? 0), title?.x ?? 0);
    await filter(page, "priority low");
    await row(page, "Urgent").waitFor({ state: "detached" });
    await filter(page, "urgent");
    await row(page, "Urgent").waitFor();
    assert.include(page.url(), "priority=urgent&priority=low");
    await page.getByRole("button", { name: "Low", exact: true }).click();
    await row(page, "Low").waitFor({ state: "detached" });
    assert.include(page.url(), "not.priority=low");
    await page.getByRole("button", { name: "not Low", exact: true }).click();
    await row(page, "Low").waitFor();
    await page.getByRole("button", { name: "Remove the filter urgent" }).click();
    await row(page, "Urgent").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await page.getByRole("option", { name: "a,b", exact: true }).click();
    await page.waitForURL(/label=a%5C%2Cb/);
    await row(page, "Low").waitFor();
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await assertAccessible(page);
    await shoot(page, "filter-menu");
  });

  it("[dashboard.address] unknown parameters of an address are ignored and not sent", async () => {
    const page = await screens.open("/inbox");
    const sent: Array<string> = [];
    page.on("request", (request) => sent.push(request.url()));
    await page.goto(
      new URL(
        "./work?project=lists&view=list&utm=mail&status=Open,Nope&assignee=a%20b&sort=title&createdAfter=soon",
        page.url(),
      ).href,
    );
    await row(page, "Low").waitFor();
    const lists = sent.filter((url) => url.includes("/api/projects/issues?"));
    assert.isNotEmpty(lists);
    for (const url of sent.filter((one) => one.includes("/api/"))) {
      assert.notMatch(url, /utm|Nope|title|soon|a%20b|a\+b/);
    }
  });

  it("[dashboard.list.display] a list has an order, groups and columns, which its address keeps", async () => {
    const page = await screens.open("/work?project=lists&view=list");
    await row(page, "Low").waitFor();
    const display = async (name: string) => {
      await page.getByRole("button", { name: "Display", exact: true }).click();
      await page.getByRole("menuitem", { name, exact: true }).click();
    };
    await display("Most urgent first");
    await page.waitForURL(/sort=priority/);
    await page.locator("article").first().and(row(page, "Done")).waitFor();
    assert.deepStrictEqual(await titles(page), ["Done", "Urgent", "Low"]);
    await display("By status");
    await page.getByRole("region", { name: "Resolved" }).waitFor();
    await row(page, "Low").waitFor();
    await row(page, "Done").waitFor();
    assert.deepStrictEqual(await titles(page), ["Urgent", "Low", "Done"]);
    await screens.call("POST", "/api/projects/lists/issues", { title: "New", priority: "high" });
    await row(page, "New").waitFor();
    assert.deepStrictEqual(await titles(page), ["Urgent", "New", "Low", "Done"]);
    await page.getByRole("button", { name: /^Open/ }).click();
    await row(page, "New").waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Open/ }).click();
    assert.strictEqual(await page.getByText("atlas").count(), 1);
    await display("Agent");
    await page.getByText("atlas").waitFor({ state: "detached" });
    await assertAccessible(page);
    await shoot(page, "list-groups");
    await page.reload();
    await row(page, "Low").waitFor();
    await row(page, "Done").waitFor();
    assert.strictEqual(await page.getByText("atlas").count(), 0);
    assert.deepStrictEqual(await titles(page), ["Urgent", "New", "Low", "Done"]);
  });
});
