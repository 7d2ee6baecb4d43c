import { assert, describe, it } from "@effect/vitest";
import { hasBrowser } from "../support/Browser.ts";
import { start } from "../support/Screens.ts";

describe.runIf(hasBrowser)("the keyboard", () => {
  it("[dashboard.keyboard.alone] a person signs in, creates, moves, opens, comments on and resolves an issue, and answers a question", async () => {
    const screens = await start();
    const page = await screens.open("/work", { key: null });
    const { keyboard } = page;
    const status = (name: string) => page.getByRole("button", { name: `Status ${name}` });
    await page.getByLabel("API key").waitFor();
    await keyboard.type(screens.server.key);
    await keyboard.press("Enter");
    await page.getByRole("heading", { name: "No issues yet" }).waitFor();

    await keyboard.press("c");
    const dialog = page.getByRole("dialog", { name: "New issue" });
    await dialog.waitFor();
    await keyboard.type("Only by keyboard");
    await keyboard.press("Tab");
    await keyboard.type("Nothing is clicked.");
    await keyboard.press("Tab");
    await keyboard.type("shop");
    await keyboard.press("Control+Enter");
    await dialog.waitFor({ state: "detached" });
    const card = page.getByRole("article", { name: "Only by keyboard" });
    await card.waitFor();

    await keyboard.press("j");
    await keyboard.press("m");
    await page.getByRole("menuitem", { name: "In review" }).waitFor();
    await keyboard.type("In review");
    await keyboard.press("Enter");
    await page.getByRole("menu").waitFor({ state: "detached" });
    await keyboard.press("j");
    await keyboard.press("Enter");
    await status("In review").waitFor();

    await keyboard.press("r");
    await keyboard.type("Looks good");
    await keyboard.press("Control+Enter");
    await page.getByRole("listitem").filter({ hasText: "Looks good" }).waitFor();
    await keyboard.press("Escape");
    await keyboard.press("Shift+R");
    await status("Resolved").waitFor();

    const { body: asking } = await screens.call("POST", "/api/projects/shop/issues", {
      title: "Asks a person",
    });
    const { body: question } = await screens.call(
      "POST",
      `/api/projects/issues/${asking.id}/questions`,
      { prompt: "What name?" },
    );
    await keyboard.press("g");
    await keyboard.press("i");
    await page.getByRole("article", { name: /Asks a person/ }).waitFor();
    await page.getByRole("textbox", { name: "Answer" }).waitFor();
    await keyboard.press("j");
    await keyboard.press("r");
    await keyboard.type("Quill");
    await keyboard.press("Control+Enter");
    await page.getByRole("heading", { name: "Nothing waits for you" }).waitFor();
    const { body } = await screens.call("GET", `/api/projects/questions/${question.id}`);
    assert.strictEqual(body.answer, "Quill");
  });
});
