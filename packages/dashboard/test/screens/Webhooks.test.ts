import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { assertAccessible } from "../support/Axe.ts";
import { hasBrowser } from "../support/Browser.ts";
import { type Screens, shoot, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];
let screens: Screens;
let receiver: Server;
let status = 204;
const received: Array<string> = [];
let url = "";

describe.runIf(hasBrowser)("webhooks", () => {
  beforeAll(async () => {
    screens = await start((end) => endings.unshift(end), { QM_WEBHOOK_LOCAL: "1" });
    receiver = createServer((request, response) => {
      request.setEncoding("utf8");
      let body = "";
      request.on("data", (chunk: string) => (body += chunk));
      request.on("end", () => {
        received.push(JSON.parse(body).type);
        response.writeHead(status).end();
      });
    }).listen(0, "127.0.0.1");
    await once(receiver, "listening");
    endings.unshift(async () => {
      receiver.closeAllConnections();
      receiver.close();
      await once(receiver, "close");
    });
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks/s3cr3t/token`;
  });
  afterAll(async () => {
    for (const end of endings) await end();
  });

  it("[dashboard.webhooks] a webhook is created by keyboard, shows its secret once, is tested, paused, rotated and deleted", async () => {
    const page = await screens.open("/inbox");
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("h");
    await page.getByRole("heading", { name: "No webhooks yet" }).waitFor();
    await assertAccessible(page);
    await page.keyboard.press("n");
    await page.getByLabel("Name").fill("Chat");
    await page.getByLabel("URL").fill("https://192.168.0.1/x");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("dialog").getByRole("alert").waitFor();
    await assertAccessible(page);
    await page.getByLabel("URL").fill(url);
    await page.getByRole("combobox", { name: "Events" }).fill("issue.created");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+Enter");
    const secret = await page.getByRole("textbox", { name: "Secret" }).inputValue();
    assert.match(secret, /^whsec_/);
    await assertAccessible(page);
    await page.getByRole("button", { name: "Done" }).press("Enter");
    const row = page.getByRole("article", { name: "Chat" });
    await row.getByText("Nothing sent yet").waitFor();
    await page.getByText("Last delivery", { exact: true }).waitFor();
    assert.notInclude(await page.content(), secret);
    assert.notInclude(await page.content(), "s3cr3t/token");
    await shoot(page, "webhooks");

    await row.getByRole("link").press("Enter");
    await page.getByRole("heading", { name: "Chat" }).waitFor();
    await page.keyboard.press("t");
    await page.getByText("The test was delivered").waitFor();
    await page.getByRole("article", { name: "webhook.test, delivered" }).waitFor();
    assert.deepStrictEqual(received.splice(0), ["webhook.test"]);
    await page.keyboard.press("Shift+P");
    await page.getByText("Nothing is sent to it").waitFor();
    await page.getByRole("button", { name: "Enable" }).press("Enter");
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await assertAccessible(page);
    await shoot(page, "webhook");

    const rotation = page.getByRole("dialog", { name: "Rotate the secret of Chat" });
    await page.getByRole("button", { name: "Rotate the secret" }).press("Enter");
    await rotation.waitFor();
    await page.keyboard.press("Control+Enter");
    const next = await page.getByRole("textbox", { name: "Secret" }).inputValue();
    assert.notStrictEqual(next, secret);
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: "Rotate the secret" }).click();
    await rotation.waitFor();
    await page.keyboard.press("Control+Enter");
    await rotation.getByRole("alert").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("dialog", { name: "Delete the webhook Chat" }).waitFor();
    await page.keyboard.press("Control+Enter");
    await page.getByRole("heading", { name: "No webhooks yet" }).waitFor();
    assert.deepStrictEqual((await screens.call("GET", "/api/webhooks")).body, []);
  });

  it("[dashboard.webhooks.deliveries] deliveries are filtered, retried and replayed, also in a dark theme on a phone", async () => {
    const input = { url, name: "Deploys", kinds: ["issue.created"] };
    const { id } = (await screens.call("POST", "/api/webhooks", input)).body;
    status = 500;
    await screens.call("POST", "/api/projects/shop/issues", { title: "Say hello" });
    const page = await screens.open(`/webhooks/${id}`, { theme: "dark", size: "narrow" });
    const pending = page.getByRole("article", { name: "issue.created, pending" });
    await pending.getByText("HTTP 500").waitFor({ timeout: 20_000 });
    await screens.call("POST", `/api/webhooks/${id}/test`);
    await page.getByRole("article", { name: "webhook.test, failed" }).waitFor({ timeout: 20_000 });
    await assertAccessible(page);
    await shoot(page, "webhook-deliveries");
    await page.getByRole("button", { name: "Status" }).click();
    await page.getByRole("menuitem", { name: "failed" }).click();
    await pending.waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Status/ }).click();
    await page.getByRole("menuitem", { name: "Every status" }).click();
    status = 204;
    await pending.getByRole("button", { name: "Retry issue.created" }).click();
    const delivered = page.getByRole("article", { name: "issue.created, delivered" });
    await delivered.waitFor({ timeout: 20_000 });
    await delivered.getByRole("button", { name: /^evt_/ }).click();
    await page
      .getByRole("article", { name: "webhook.test, failed" })
      .waitFor({ state: "detached" });
    received.length = 0;
    await page.getByRole("button", { name: "Replay events" }).click();
    await page.getByRole("dialog", { name: "Replay events to Deploys" }).waitFor();
    await page.keyboard.press("Control+Enter");
    await page.getByText("1 event is sent again").waitFor();
    await page.goto(page.url().replace(/webhooks.*$/, "webhooks"));
    await page.getByRole("article", { name: "Deploys" }).waitFor();
    await assertAccessible(page);
  });

  it("[dashboard.webhooks.hidden] only an Admin that is bound to no project sees webhooks", async () => {
    const fields = { name: "Eve", role: "Admin", projects: ["shop"] };
    const { body } = await screens.call("POST", "/api/keys", fields);
    const page = await screens.open("/webhooks", { key: body.key });
    await page.getByRole("heading", { name: "Webhooks are managed by Admins" }).waitFor();
    assert.strictEqual(await page.getByRole("link", { name: "Webhooks" }).count(), 0);
  });
});
