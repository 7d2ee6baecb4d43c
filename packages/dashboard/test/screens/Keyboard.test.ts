import { assert, describe, it, onTestFinished, vi } from "@effect/vitest";
import type { Locator } from "playwright-core";
import { hasBrowser } from "../support/Browser.ts";
import { issuePages } from "../support/IssuePages.ts";
import * as McpServer from "../support/McpServer.ts";
import { seed, shoot, start } from "../support/Screens.ts";

/**
 * The meaning of each key on every screen that uses it. The test reads the help of each screen, and
 * finds no other meaning.
 */
const meanings: Readonly<Record<string, RegExp>> = {
  "?": /^Keyboard shortcuts$/,
  "/": /^Find /,
  "+": /^Zoom in$/,
  "-": /^Zoom out$/,
  "↑": /^Up$/,
  "↓": /^Down$/,
  "←": /^(Previous column|Go to a blocker)$/,
  "→": /^(Next column|Go to a dependent issue)$/,
  "↵": /^Open the issue$/,
  "0": /^Show (all|the whole graph)/,
  "1": /^Choose (?:the|a)|^Show the last 24 h/,
  "2": /^Choose (?:the|a)|^Show the last 7 d/,
  "3": /^Choose (?:the|a)|^Show the last 30 d/,
  A: /^(Accept|Approve or retry)/,
  "⇧ A": /^(Review and accept|Retry all failures)/,
  B: /^(Add a blocker|Block the tool)$/,
  "⇧ B": /^Add a blocked issue$/,
  C: /^New issue$/,
  "⇧ C": /^Close the issue$/,
  D: /^Defer until$/,
  Del: /^Revoke the key or end the session$/,
  E: /^(Edit the description|Resolve the issue(, or finish a mention)?)$/,
  "⇧ E": /^(Enable|Disable) tracker$/,
  Esc: /^(Back|Clear the selection|Close the tool)/,
  F: /^(Filter|Choose a project)/,
  "⇧ G": /^Show the issue's graph$/,
  I: /^Assign/,
  "⇧ I": /^Assign a person$/,
  J: /^Next/,
  K: /^Previous/,
  L: /^(Label the issue|Change the labels)$/,
  M: /^(Change the issue|All actions)/,
  N: /^(New key|Add a server|Grant the server)/,
  "⇧ N": /^Import/,
  "⇧ O": /^(Reopen the issue|Request changes)$/,
  P: /^Change the priority$/,
  "⇧ P": /^(Pause|Resume|Pause or resume) /,
  R: /^(Comment|Write an answer)/,
  "⇧ R": /^(Resolve|Approve) the issue$/,
  S: /^(Change the status|Snooze)$/,
  "⇧ S": /^Choose the project of every screen$/,
  T: /^Grant or revoke$/,
  U: /^Refresh the calls$/,
  V: /^Show (sessions|keys|the list|as a list|as a diagram)$/,
  "⇧ V": /^Verify tracker$/,
  W: /^Show the agent's issues$/,
  X: /^Select the (issue|item)$/,
};

describe.runIf(hasBrowser)("the keyboard", () => {
  // It opens 14 screens.
  it(
    "[dashboard.keys.meaning] a key means the same on every screen",
    { timeout: 180_000 },
    async () => {
      const screens = await start();
      await seed(screens);
      const search = { name: "search", inputSchema: { type: "object" } };
      const tracker = await McpServer.install(screens, "tracker", [search], onTestFinished);
      const { id: serverId } = tracker;
      tracker.tools = [{ ...search, description: "Searches." }];
      await tracker.verify();
      const { body } = await screens.call("GET", "/api/projects/web/issues?status=PendingReview");
      const [{ id: issueId }] = body;
      const page = await screens.open("/inbox");
      const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
      const unknown: Array<string> = [];
      const seen = new Set<string>();
      const article = page.getByRole("article").first();
      const heading = (name: string) => page.getByRole("heading", { name });
      const button = (name: RegExp) => page.getByRole("button", { name });
      const opened: ReadonlyArray<readonly [path: string, content: Locator]> = [
        ["inbox", article],
        ["work", article],
        [`issues/${issueId}`, heading("Activity")],
        ["agents", page.locator("[data-item]").first()],
        ["agents/atlas", heading("Recent runs")],
        ["graph?view=picture", button(/^Zoom in/)],
        ["servers", page.locator("[data-item]")],
        [`servers/${serverId}?tab=access`, button(/^Grant to all agents/)],
        [`servers/${serverId}?tab=calls`, page.getByText("No calls yet")],
        ["servers/catalog", page.locator("[data-item]").first()],
        [`tools?tool=${serverId}/search`, button(/^Block/)],
        ["keys", button(/^New key/)],
        ["keys?view=sessions", page.getByText("This browser")],
        ["overview", heading("Throughput")],
      ];
      for (const [path, content] of opened) {
        await page.goto(`${screens.server.url}/${path}`);
        await content.waitFor();
        await page.keyboard.press("?");
        await help.waitFor();
        await shoot(page, `help-${path.replaceAll(/\W/g, "-")}`);
        for (const item of await help.getByRole("listitem").all()) {
          const keys = (await item.locator("kbd").allTextContents()).join(" ");
          const title =
            (await item.textContent())?.slice(0, -keys.replaceAll(" ", "").length) ?? "";
          if (/^(G|V|Ctrl) /.test(keys)) continue;
          seen.add(keys);
          if (meanings[keys]?.test(title) !== true) unknown.push(`${keys}: ${title}`);
        }
      }
      assert.deepStrictEqual(unknown, []);
      assert.deepStrictEqual(
        Object.keys(meanings).filter((keys) => !seen.has(keys)),
        [],
      );
    },
  );

  it("[dashboard.early] keys pressed right after the one that opens a list reach the list", async () => {
    const screens = await start();
    const { create, get, openIssue } = issuePages(screens);
    const { id } = await create("Typed fast");
    const page = await openIssue(id);
    const { keyboard } = page;
    // The first list loads the code of all.
    await keyboard.press("p");
    await page.getByRole("combobox", { name: "Set the priority…" }).waitFor();
    await keyboard.press("Escape");
    await keyboard.press("l");
    await keyboard.type("urgent fix");
    await keyboard.press("Enter");
    await keyboard.press("Escape");
    await keyboard.press("i");
    await keyboard.type("nova");
    await keyboard.press("Enter");
    await vi.waitFor(
      async () =>
        assert.deepInclude(await get(id), { assignedAgentId: "nova", labels: ["urgent fix"] }),
      { timeout: 10_000 },
    );
  });

  it("[dashboard.early] while the code of a list loads, keys run no command of the screen", async () => {
    const screens = await start();
    const { id } = await issuePages(screens).create("Loads slowly");
    const page = await screens.open("/inbox");
    const code = Promise.withResolvers<void>();
    await page.route("**/assets/Layers-*.js", async (route) => {
      await code.promise;
      await route.fallback();
    });
    await page.goto(`${screens.server.url}/issues/${id}`);
    await page.getByRole("heading", { name: "Activity" }).waitFor();
    await page.keyboard.press("i");
    await page.keyboard.type("es");
    code.resolve();
    await page.getByRole("combobox", { name: "Assign an agent…" }).waitFor();
    assert.strictEqual(await page.getByRole("combobox").count(), 1);
    assert.strictEqual(await page.locator("textarea[aria-label=Description]").count(), 0);
  });

  it("[dashboard.picker] Enter in a list that the server filters waits for the options of the typed text", async () => {
    const screens = await start();
    const { create, get, openIssue } = issuePages(screens);
    const { id: wanted } = await create("Found by its words");
    await create("Newest of all");
    const { id } = await create("Linked fast");
    const page = await openIssue(id);
    const { keyboard } = page;
    await keyboard.press("b");
    await page.getByRole("option", { name: "Newest of all" }).waitFor();
    const search = Promise.withResolvers<void>();
    await page.route(/\/issues\?.*q=/, async (route) => {
      await search.promise;
      await route.fallback();
    });
    await keyboard.type("its words");
    await keyboard.press("Enter");
    search.resolve();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await vi.waitFor(
      async () =>
        assert.deepStrictEqual(
          (await get(id)).links.map(
            ({ targetIssueId }: { readonly targetIssueId: string }) => targetIssueId,
          ),
          [wanted],
        ),
      { timeout: 10_000 },
    );
  });

  it("[dashboard.find] text typed while a search starts is not lost", async () => {
    const screens = await start();
    await seed(screens);
    const page = await screens.open("/work?view=list");
    const input = page.getByLabel("Find in issues");
    await input.focus();
    // Each key follows just after the pause that starts a search.
    await page.keyboard.type("refund emails", { delay: 155 });
    await page.waitForURL(/q=refund(\+|%20)emails/);
    assert.strictEqual(await input.inputValue(), "refund emails");
  });

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
    // The project does not exist yet.
    const creation = page.getByRole("dialog", { name: "New project" });
    await creation.waitFor();
    await keyboard.press("Control+Enter");
    await creation.waitFor({ state: "detached" });
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
    await page.locator("[data-column=PendingReview] article").waitFor();
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
    await keyboard.press("r");
    await keyboard.type("Quill");
    await keyboard.press("Control+Enter");
    await page.getByRole("heading", { name: "Nothing needs your attention" }).waitFor();
    // The item leaves the list before its answer is stored.
    await vi.waitFor(
      async () => {
        const { body } = await screens.call("GET", `/api/projects/questions/${question.id}`);
        assert.strictEqual(body.answer, "Quill");
      },
      { timeout: 10_000 },
    );
  });
});
