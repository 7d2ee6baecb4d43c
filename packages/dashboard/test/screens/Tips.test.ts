import { assert, describe, it } from "@effect/vitest";
import { assertAccessible } from "../support/Axe.ts";
import { hasBrowser } from "../support/Browser.ts";
import { seed, shoot, start } from "../support/Screens.ts";

describe.runIf(hasBrowser)("tooltips", { timeout: 60_000 }, () => {
  it("[dashboard.tips] a tooltip names a button and its key to the pointer and the keyboard, inside the window", async () => {
    const screens = await start();
    await seed(screens);
    const page = await screens.open("/agents");
    const button = page.getByRole("button", { name: "Pause atlas" });
    const tip = page.locator("[data-tip]");
    await button.hover();
    await tip.getByText("Pause atlas").waitFor();
    assert.match((await tip.textContent()) ?? "", /P$/);
    const box = await tip.boundingBox();
    assert.isAtMost(box!.x + box!.width, 1_440);
    await shoot(page, "tip");
    await assertAccessible(page);
    // The pointer may move onto the text.
    await tip.hover();
    await page.waitForTimeout(400);
    await tip.waitFor();
    await page.keyboard.press("Escape");
    await tip.waitFor({ state: "detached" });
    await page.mouse.move(600, 600);
    await page.keyboard.press("Tab");
    await button.focus();
    await tip.getByText("Pause atlas").waitFor();
    await button.blur();
    await tip.waitFor({ state: "detached" });
  });
});
