import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { assert, describe, it, onTestFinished } from "@effect/vitest";
import type { Page } from "playwright-core";
import { call } from "../../../http/test/support/Client.ts";
import { hasBrowser } from "../support/Browser.ts";
import { issuePages } from "../support/IssuePages.ts";
import { type Screens, start } from "../support/Screens.ts";

/** Another program on the same host. Returns its URL, and the cookies that browsers sent to it. */
const otherProgram = async () => {
  const cookies: Array<string> = [];
  const server = createServer((request, response) => {
    cookies.push(request.headers.cookie ?? "");
    response.end("another program");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, cookies };
};

const keyOf = async ({ call }: Screens, userId: string, project: string) => {
  const input = { name: userId, role: "Editor", userId, projects: [project] };
  const { body } = await call("POST", "/api/keys", input);
  return body.key as string;
};

const signInAs = async (page: Page, key: string) => {
  await page.getByLabel("API key").fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();
};

const signOut = async (page: Page, user: string) => {
  await page.getByRole("button", { name: user }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByLabel("API key").waitFor();
};

const endSessions = async ({ call }: Screens) => {
  const { body } = await call("GET", "/api/sessions?limit=500");
  for (const { id } of body) await call("DELETE", `/api/sessions/${id}`);
};

describe.runIf(hasBrowser)("the session of the page", () => {
  it("[dashboard.session.port] a program at another port gets the cookie, and cannot act with it", async () => {
    const screens = await start();
    const { create, openIssue } = issuePages(screens);
    const { id } = await create("Read by many");
    const other = await otherProgram();
    const comments = `/api/projects/issues/${id}/comments`;
    const content = `<${other.url}> [the report](${other.url}report) and <https://elsewhere.example/>`;
    await screens.call("POST", comments, { content });
    const page = await openIssue(id);
    const comment = page.getByRole("listitem").filter({ hasText: other.url });
    await comment.getByText(`the report (${other.url}report)`).waitFor();
    assert.deepStrictEqual(
      await comment.getByRole("link").evaluateAll((links) => links.map(String)),
      ["https://elsewhere.example/"],
    );
    await page.goto(other.url);
    const cookie = other.cookies[0] ?? "";
    assert.match(cookie, /^qm_session=/);
    const headers = { cookie, "sec-fetch-site": "same-origin", origin: screens.server.url };
    for (const [path, body] of [
      ["/api/session/token", undefined],
      [comments, { content: "forged" }],
    ] as const) {
      const { body: problem, status } = await call(screens.server, "POST", path, { headers, body });
      assert.deepStrictEqual([status, problem.type], [403, "urn:quartermaster:problem:csrf"]);
    }
    const stored = await page.evaluate("Object.keys(localStorage)");
    assert.deepStrictEqual(stored, []);
  });

  it("[dashboard.session.tabs] a second tab is signed in, and a browser without the secret asks again", async () => {
    const screens = await start();
    const { create, openIssue } = issuePages(screens);
    const { id } = await create("Open in two tabs");
    const page = await openIssue(id);
    const tab = await page.context().newPage();
    await tab.goto(page.url());
    const input = tab.getByLabel("Comment", { exact: true });
    await input.fill("From the second tab");
    await input.press("Control+Enter");
    const comment = (of: Page) => of.getByRole("listitem").filter({ hasText: "second tab" });
    await comment(page).waitFor();
    await page.evaluate("localStorage.removeItem('quartermaster session /')");
    await tab.getByLabel("API key").waitFor();
    await page.reload();
    await signInAs(page, screens.server.key);
    await comment(page).waitFor();
    await tab.goto(page.url());
    await comment(tab).waitFor();
  });

  it("[dashboard.sign-out] no data of the user is left for the next user, in any tab", async () => {
    const screens = await start();
    const { create, openIssue } = issuePages(screens);
    const { id } = await create("A secret of the shop");
    const [ada, bob] = [await keyOf(screens, "ada", "shop"), await keyOf(screens, "bob", "web")];
    const page = await openIssue(id, { key: ada });
    await page.getByLabel("Comment", { exact: true }).fill("Not sent yet");
    const tab = await page.context().newPage();
    await tab.goto(page.url());
    await tab.getByRole("button", { name: "ada" }).waitFor();
    await signOut(page, "ada");
    await tab.getByLabel("API key").waitFor();
    assert.deepStrictEqual(
      await page.evaluate("Object.keys(localStorage).filter((key) => key !== 'test signed in')"),
      [],
    );
    await signInAs(page, bob);
    await page.getByRole("button", { name: "bob" }).waitFor();
    await tab.getByRole("button", { name: "bob" }).waitFor();
    for (const each of [page, tab]) {
      await each.goto(`${screens.server.url}/issues/${id}`);
      await each.getByRole("button", { name: "bob" }).waitFor();
      await each.getByRole("heading", { name: "No issue has this id" }).waitFor();
      assert.strictEqual(await each.getByText("A secret of the shop").count(), 0);
    }
  });

  it("[dashboard.expired.other] another user's key reloads the page, and no data of the first user is sent", async () => {
    const screens = await start();
    const { create, openIssue } = issuePages(screens);
    const { id } = await create("Commented by one");
    const [ada, bob] = [await keyOf(screens, "ada", "shop"), await keyOf(screens, "bob", "shop")];
    const page = await openIssue(id, { key: ada });
    const tab = await page.context().newPage();
    await tab.goto(page.url());
    await tab.getByRole("button", { name: "ada" }).waitFor();
    await endSessions(screens);
    const input = page.getByLabel("Comment", { exact: true });
    await input.fill("By ada");
    await input.press("Control+Enter");
    const dialog = page.getByRole("dialog", { name: "Your session has ended" });
    await dialog.getByLabel("API key").fill(bob);
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "bob" }).waitFor();
    await tab.getByRole("button", { name: "bob" }).waitFor();
    assert.strictEqual(await input.inputValue(), "");
    await input.fill("By bob");
    await input.press("Control+Enter");
    // The other tab may show the text as a draft before it is sent: the comment is in the list.
    await tab.getByRole("listitem").filter({ hasText: "By bob" }).waitFor();
    const { body } = await screens.call("GET", `/api/projects/issues/${id}/comments`);
    assert.deepStrictEqual(
      body.map(({ content }: { readonly content: string }) => content),
      ["By bob"],
    );
  });

  it("[dashboard.sign-in.cookies] two cookies of the session's name are reported by the form", async () => {
    const screens = await start();
    const page = await screens.open("/work", { key: null });
    const { url } = screens.server;
    await page
      .context()
      .addCookies([
        { name: "qm_session", value: "planted", domain: new URL(url).hostname, path: "/api" },
      ]);
    await signInAs(page, screens.server.key);
    await page.getByRole("alert").filter({ hasText: "several cookies" }).waitFor();
  });
});
