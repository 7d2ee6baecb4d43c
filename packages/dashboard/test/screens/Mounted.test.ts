import { assert, describe, it } from "@effect/vitest";
import * as MountWorld from "../../../http/test/mount/MountWorld.ts";
import { hasBrowser } from "../support/Browser.ts";
import { openPage } from "../support/Screens.ts";

describe.runIf(hasBrowser)("the dashboard in another server", () => {
  it("[dashboard.prefix] below a prefix of Express, the page signs in, follows changes and stays below it", async () => {
    const prefix = "/quartermaster";
    const { base, call, owner } = await MountWorld.start({
      host: "Express",
      prefix,
      dashboard: true,
    });
    const page = await openPage({ url: `${base}/work`, key: owner, base });
    await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
    await call("POST", "/api/projects/shop/issues", { body: { title: "Below a prefix" } });
    await page.getByRole("article", { name: "Below a prefix" }).waitFor();
    await page.getByRole("link", { name: "Inbox" }).click();
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
    assert.strictEqual(page.url(), `${base}/inbox`);
    await page.reload();
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
  });
});
