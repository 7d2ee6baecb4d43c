import { assert, describe, it, onTestFinished } from "@effect/vitest";
import { assertAccessible } from "../support/Axe.ts";
import { hasBrowser } from "../support/Browser.ts";
import * as McpServer from "../support/McpServer.ts";
import { shoot, start } from "../support/Screens.ts";

describe.runIf(hasBrowser)("the settings of a server", { timeout: 60_000 }, () => {
  it("[page.server.calls] a form sets the record of calls, the context and the calls that happen once", async () => {
    const screens = await start();
    const tools = ["pay", "refund"].map((name) => ({ name, inputSchema: { type: "object" } }));
    const server = await McpServer.install(screens, "bank", tools, onTestFinished);
    await server.call("PUT", "", { once: [{ tools: ["old_*", "other"], by: ["/to", "/amount"] }] });
    const page = await screens.open(`/servers/${server.id}`);
    const form = page.getByRole("form", { name: "Calls" });
    const rules = form.getByLabel("Tools whose calls happen once");
    assert.strictEqual(await rules.inputValue(), "old_* other=/to,/amount");
    const choose = async (label: string, choice: string) => {
      await form.getByLabel(label).click();
      await page.getByRole("option", { name: choice }).click();
    };
    await choose("Recorded of each call", "Arguments and results too");
    await form.getByLabel(/whose call it is/).check();
    await rules.fill("pay\nrefund=/invoice, /amount");
    await choose("If such a call returns an error", "Unknown: it has to be settled first");
    await choose("Who settles a call whose reply was lost", "Only people");
    await shoot(page, "server-calls-form");
    await assertAccessible(page);
    await form.getByRole("button", { name: "Save calls" }).click();
    await page.getByText("Settings saved").waitFor();
    const { body } = await server.call("GET", "");
    const { once, onceErrors, recordCalls, sendContext, settle } = body;
    assert.deepStrictEqual(
      { once, onceErrors, recordCalls, sendContext, settle },
      {
        once: [{ tools: ["pay"] }, { tools: ["refund"], by: ["/invoice", "/amount"] }],
        onceErrors: "unknown",
        recordCalls: "all",
        sendContext: true,
        settle: "person",
      },
    );
    // A rule that the server refuses stays in the form with the reason.
    await rules.fill("pay=invoice");
    await form.getByRole("button", { name: "Save calls" }).click();
    await form.getByRole("alert").waitFor();
    assert.strictEqual(await rules.inputValue(), "pay=invoice");
    await form.getByRole("button", { name: "Discard" }).click();
    assert.strictEqual(await rules.inputValue(), "pay\nrefund=/invoice,/amount");
  });
});
