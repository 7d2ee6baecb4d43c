import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { assertAccessible } from "../support/Axe.ts";
import { hasBrowser } from "../support/Browser.ts";
import { opposites, type Screens, shoot, start } from "../support/Screens.ts";

const ends: Array<() => Promise<void>> = [];
let screens: Screens;

describe.runIf(hasBrowser)("the documentation in a browser", () => {
  beforeAll(async () => {
    screens = await start((end) => ends.push(end));
  });
  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
  });

  it("[docs.screen] its pages pass axe and fit the screen, in both themes and sizes", async () => {
    for (const { size, theme } of opposites) {
      const page = await screens.open("/docs", { theme, size, key: null });
      for (const path of ["/docs", "/docs/concepts/issue", "/docs/reference/tools"]) {
        await page.goto(screens.server.url + path);
        await assertAccessible(page);
        const overflow = await page
          .locator("html")
          .evaluate(({ clientWidth, scrollWidth }) => scrollWidth - clientWidth);
        assert.strictEqual(overflow, 0, `${path} ${theme} ${size}`);
        await shoot(page, `docs${path.replaceAll("/", "-")}-${theme}-${size}`);
      }
    }
  });

  it("[docs.screen] the search lists sections while typing, by keyboard, and the theme is the dashboard's", async () => {
    const page = await screens.open("/docs", { key: null });
    await page.keyboard.press("/");
    // Results of a part of the text could replace the focused one later.
    await page.keyboard.insertText("fencing");
    await page.getByRole("link", { name: "Lease: The fencing token" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/docs/concepts/lease#the-fencing-token");
    await page.getByRole("button", { name: "Theme: system" }).click();
    await page.getByRole("button", { name: "Theme: light" }).click();
    await page.getByRole("button", { name: "Theme: dark" }).waitFor();
    assert.strictEqual(
      await page.evaluate(() => localStorage.getItem("quartermaster theme")),
      "dark",
    );
    await page.reload();
    assert.strictEqual(await page.locator("html").getAttribute("data-theme"), "dark");
  });
});
