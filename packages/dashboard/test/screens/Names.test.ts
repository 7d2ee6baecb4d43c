import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { as } from "../../../http/test/support/Client.ts";
import { hasBrowser } from "../support/Browser.ts";
import { type IssuePages, issuePages } from "../support/IssuePages.ts";
import { type Screens, shoot, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];
let screens: Screens;
let pages: IssuePages;

describe.runIf(hasBrowser)("names of people", () => {
  beforeAll(async () => {
    screens = await start((end) => endings.unshift(end), { QM_WEBHOOK_LOCAL: "1" });
    pages = issuePages(screens);
  });
  afterAll(async () => {
    for (const end of endings) await end();
  });

  it("[dashboard.issue.names] authors are shown by name, even to a Viewer", async () => {
    const key = async (name: string, fields: object = {}) =>
      (await screens.call("POST", "/api/keys", { name, role: "Editor", ...fields })).body;
    const bot = await key("Deploy bot");
    const gone = await key("Gone soon");
    const viewer = await key("Reader", { role: "Viewer" });
    const { id } = await pages.create("Written by many", { assigneeUserId: bot.id });
    const path = `/api/projects/issues/${id}`;
    for (const { key: by, id: author } of [bot, gone]) {
      const call = as(screens.server, by);
      await call("POST", `${path}/comments`, { body: { content: `From ${author}` } });
    }
    await as(screens.server, bot.key)("PUT", path, { body: { assigneeUserId: viewer.id } });
    await as(screens.server, bot.key)("POST", `${path}/questions`, { body: { prompt: "Now?" } });
    await screens.call("DELETE", `/api/keys/${gone.id}`);
    const page = await pages.openIssue(id, { key: viewer.key });
    await shoot(page, "names");
    const said = (author: string) => page.getByRole("listitem").filter({ hasText: author });
    await said(`From ${bot.id}`).getByText("Deploy bot", { exact: true }).waitFor();
    await said(`From ${gone.id}`)
      .getByText(`Deleted key …${gone.id.slice(-5)}`)
      .waitFor();
    await page.getByText("assigned it to you").waitFor();
    await page.getByText("Question from Deploy bot").waitFor();
    await page.getByRole("complementary").getByText("You", { exact: true }).waitFor();
    const text = await page.getByRole("main").innerText();
    const shown = text.replaceAll(/From key_\w+/g, "").match(/key_\w+/g);
    assert.isNull(shown);
  });

  it("[dashboard.names.assign] on the board a person is assigned, shown and filtered by name", async () => {
    const { body: bot } = await screens.call("POST", "/api/keys", { name: "Rota", role: "Editor" });
    const { id } = await pages.create("Assigned by name");
    await pages.create("Assigned before", { assigneeUserId: bot.id });
    const page = await screens.open(`/work?project=shop&assignee=${bot.id}`);
    await page.getByRole("button", { name: "Remove the filter Rota" }).click();
    await page.getByRole("article", { name: "Assigned by name" }).focus();
    await page.keyboard.press("i");
    await page.getByRole("combobox", { name: "Person" }).fill("Rota");
    await page.getByRole("option", { name: "Rota" }).click();
    await page.getByRole("button", { name: "Assign", exact: true }).click();
    await page.getByRole("dialog", { name: /^Assign / }).waitFor({ state: "detached" });
    assert.strictEqual((await pages.get(id)).assigneeUserId, bot.id);
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await page.getByRole("option", { name: "Rota", exact: true }).waitFor();
  });

  it("[dashboard.names.project] an issue, filters and webhooks show a project by its name", async () => {
    await screens.call("PUT", "/api/projects/shop", { name: "Web shop", paused: true });
    const { id } = await pages.create("In a named project", { assignedAgentId: "ada" });
    const page = await pages.openIssue(id);
    await page.getByText("Not picked up: its project Web shop is paused.").waitFor();
    await page.getByRole("complementary").getByText("Web shop", { exact: true }).waitFor();
    await page.getByRole("navigation", { name: "Breadcrumb" }).getByText("Web shop").click();
    await page.getByRole("button", { name: "Remove the filter Web shop" }).waitFor();
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await page.keyboard.type("shop");
    await page.getByRole("option", { name: "Web shop (shop)" }).waitFor();
    for (const path of ["/inbox", "/runs"]) {
      await page.goto(`${screens.server.url}${path}?project=shop`);
      await page.getByRole("button", { name: "Remove the filter Web shop" }).waitFor();
    }
    await page.goto(`${screens.server.url}/graph?project=shop`);
    await page.getByRole("button", { name: "Project: Web shop (shop)" }).waitFor();
    const { body: webhook } = await screens.call("POST", "/api/webhooks", {
      name: "To the shop",
      url: "http://127.0.0.1:9/shop",
      kinds: ["issue.*"],
      projectId: "shop",
    });
    await page.goto(`${screens.server.url}/webhooks`);
    await page.getByText("Web shop: issue.*").waitFor();
    await page.goto(`${screens.server.url}/webhooks/${webhook.id}`);
    await page.getByRole("main").getByText("Web shop", { exact: true }).waitFor();
  });
});
