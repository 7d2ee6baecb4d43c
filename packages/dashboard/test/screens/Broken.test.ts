import { join } from "node:path";
import { assert, describe, it, vi } from "@effect/vitest";
import { as } from "../../../http/test/support/Client.ts";
import { freePort } from "../../../http/test/support/freePort.ts";
import { Quartermaster, temporaryFolder } from "../../../server/test/Quartermaster.ts";
import { hasBrowser } from "../support/Browser.ts";
import { issuePages } from "../support/IssuePages.ts";
import { openPage, shoot, start } from "../support/Screens.ts";

describe.runIf(hasBrowser)("interruptions", () => {
  it("[dashboard.together] two browsers see each other's changes, and neither loses a description", async () => {
    const screens = await start();
    const { create, get, openIssue } = issuePages(screens);
    const { id } = await create("Written by two", { description: "First" });
    const one = await openIssue(id);
    const other = await openIssue(id);
    await other.keyboard.press("r");
    await other.keyboard.type("Seen by both");
    await other.keyboard.press("Control+Enter");
    await one.getByRole("listitem").filter({ hasText: "Seen by both" }).waitFor();

    const inputs = [one, other].map((page) =>
      page.getByLabel("Description", { exact: true }).and(page.locator("textarea")),
    );
    const [mine, theirs] = inputs as [(typeof inputs)[0], (typeof inputs)[0]];
    // Mine is sent before the page learns of theirs, and arrives after it.
    const saved = Promise.withResolvers<void>();
    await one.route(`**/api/projects/issues/${id}`, async (route) => {
      if (route.request().method() === "PUT") await saved.promise;
      await route.continue();
    });
    await one.keyboard.press("e");
    await mine.fill("Mine");
    await mine.press("Control+Enter");
    await other.getByRole("button", { name: "Actions" }).focus();
    await other.keyboard.press("e");
    await theirs.fill("Theirs");
    await theirs.press("Control+Enter");
    await theirs.waitFor({ state: "detached" });
    saved.resolve();
    await one.getByRole("region", { name: "Saved version" }).getByText("Theirs").waitFor();
    await one
      .getByRole("region", { name: "Your version" })
      .getByText("Mine", { exact: true })
      .waitFor();
    await shoot(one, "together-conflict");
    await one.getByRole("button", { name: "Save my version" }).click();
    await other.getByText("Mine", { exact: true }).waitFor();
    assert.strictEqual((await get(id)).description, "Mine");
  });

  it("[dashboard.expired.comment] a comment that is typed while the session ends is sent once, after the sign-in", async () => {
    const screens = await start();
    const { create, openIssue } = issuePages(screens);
    const { id } = await create("Commented");
    const page = await openIssue(id);
    const input = page.getByLabel("Comment", { exact: true });
    await input.fill("Typed before");
    const { body } = await screens.call("GET", "/api/sessions?limit=500");
    for (const session of body) await screens.call("DELETE", `/api/sessions/${session.id}`);
    // The dialog may have the focus already, since the stream of events has also ended.
    await input.dispatchEvent("keydown", { key: "Enter", ctrlKey: true });
    const dialog = page.getByRole("dialog", { name: "Your session has ended" });
    await dialog.getByLabel("API key").fill(screens.server.key);
    await shoot(page, "expired-comment");
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("listitem").filter({ hasText: "Typed before" }).waitFor();
    await vi.waitFor(async () => assert.strictEqual(await input.inputValue(), ""), {
      timeout: 10_000,
    });
    const comments = await screens.call("GET", `/api/projects/issues/${id}/comments`);
    assert.deepStrictEqual(
      comments.body.map(({ content }: { readonly content: string }) => content),
      ["Typed before"],
    );
  });

  it("[dashboard.expired.revoked] after its key is revoked a page asks for another one of the user, and keeps the typed text", async () => {
    const screens = await start();
    const { create, openIssue } = issuePages(screens);
    const { id } = await create("Seen by a guest");
    const guestKey = () =>
      screens.call("POST", "/api/keys", { name: "guest", role: "Editor", userId: "guest" });
    const [guest, next] = [await guestKey(), await guestKey()];
    const page = await openIssue(id, { key: guest.body.key });
    const input = page.getByLabel("Comment", { exact: true });
    await input.fill("Still here");
    await screens.call("DELETE", `/api/keys/${guest.body.id}`);
    const dialog = page.getByRole("dialog", { name: "Your session has ended" });
    await dialog.getByLabel("API key").fill(guest.body.key);
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByLabel("API key").fill(next.body.key);
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.strictEqual(await input.inputValue(), "Still here");
  });

  it("[dashboard.restart] after the server was killed, the page is live again, with the changes and the typed text", async () => {
    const dataDir = join(await temporaryFolder(), "data");
    const env = { QM_PORT: String(await freePort()) };
    const first = await Quartermaster.start(dataDir, env);
    const { body: issue } = await first.call("POST", "/api/projects/shop/issues", {
      body: { title: "Before the restart", description: "Some **text**" },
    });
    const page = await openPage({
      base: first.url,
      key: first.key,
      url: `${first.url}/issues/${issue.id}`,
    });
    const line = page.getByRole("status");
    await line.filter({ hasText: "Live" }).waitFor();
    await page.locator("strong", { hasText: "text" }).waitFor();
    const tab = await page.context().newPage();
    await tab.goto(page.url());
    await tab.getByRole("status").filter({ hasText: "Live" }).waitFor();
    const input = page.getByLabel("Comment", { exact: true });
    await input.fill("Typed in the meantime");
    await first.kill();
    await line.filter({ hasText: "Offline since" }).waitFor();
    const second = await Quartermaster.start(dataDir, env);
    await as(second, second.key)("PUT", `/api/projects/issues/${issue.id}`, {
      body: { title: "After the restart" },
    });
    await line.filter({ hasText: "Live" }).waitFor({ timeout: 40_000 });
    for (const one of [page, tab]) {
      await one.getByRole("heading", { level: 1, name: "After the restart" }).waitFor();
    }
    assert.strictEqual(await input.inputValue(), "Typed in the meantime");
    await input.press("Control+Enter");
    await page.getByRole("listitem").filter({ hasText: "Typed in the meantime" }).waitFor();
    await vi.waitFor(async () => {
      const { body } = await second.call("GET", `/api/projects/issues/${issue.id}/comments`);
      assert.lengthOf(body, 1);
    });
  });

  it("[dashboard.gap] a page whose last event is no longer retained reloads its data", async () => {
    const dataDir = join(await temporaryFolder(), "data");
    const env = { QM_PORT: String(await freePort()) };
    const first = await Quartermaster.start(dataDir, env);
    const { body: issue } = await first.call("POST", "/api/projects/shop/issues", {
      body: { title: "At first" },
    });
    const path = `/api/projects/issues/${issue.id}`;
    const url = `${first.url}/issues/${issue.id}`;
    const page = await openPage({ base: first.url, key: first.key, url });
    const title = page.getByRole("heading", { level: 1 });
    await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
    // The first read after the opening of the stream may show the first change, an event shows the second.
    for (const seen of ["Seen first", "Seen live"]) {
      await first.call("PUT", path, { body: { title: seen } });
      await title.filter({ hasText: seen }).waitFor();
    }
    let isBack = false;
    let refusals = 0;
    await page.route("**/api/events*", async (route) => {
      if (!isBack) return route.abort();
      if (route.request().headers()["last-event-id"] === undefined) return route.continue();
      refusals += 1;
      const json = {
        type: "about:blank",
        title: "Bad Request",
        status: 400,
        code: "invalid-request",
      };
      return route.fulfill({ status: 400, contentType: "application/problem+json", json });
    });
    await first.kill();
    const second = await Quartermaster.start(dataDir, env);
    await as(second, second.key)("PUT", path, { body: { title: "Missed" } });
    isBack = true;
    await title.filter({ hasText: "Missed" }).waitFor({ timeout: 40_000 });
    assert.isAbove(refusals, 0);
  });
});
