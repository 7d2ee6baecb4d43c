import { assert, describe, it, onTestFinished } from "@effect/vitest";
import type { Page } from "playwright-core";
import { hasBrowser, sizes } from "../support/Browser.ts";
import { show } from "../support/Inbox.ts";
import { issuePages } from "../support/IssuePages.ts";
import { install } from "../support/McpServer.ts";
import { shoot, start } from "../support/Screens.ts";

const run = "document.title='run'";
const image = `<img src="https://elsewhere.example/a.png" onerror="${run}">`;
const script = `<script>${run}</script>`;
const override = "\u202Eright to left\u202C";
const text = [
  `${script}${image}`,
  `[a link](javascript:${run})`,
  "![an image](https://elsewhere.example/b.png)",
  "w".repeat(10_000),
  override,
  "🦊".repeat(300),
].join("\n\n");

const sizeNames = ["wide", "narrow"] as const;

/** Fails if the page runs or fetches content of other users, or scrolls horizontally. */
const assertHarmless = async (page: Page, requested: ReadonlyArray<string>, width: number) => {
  assert.notStrictEqual(await page.title(), "run");
  assert.deepStrictEqual(requested, []);
  assert.strictEqual(await page.locator("a[href^='javascript:' i]").count(), 0);
  assert.isAtMost(Number(await page.evaluate("document.documentElement.scrollWidth")), width);
};

/** Records the page's requests to other hosts from now on. */
const requestsElsewhere = (page: Page) => {
  const requested: Array<string> = [];
  page.on("request", (request) => {
    if (request.url().includes("elsewhere")) requested.push(request.url());
  });
  return requested;
};

describe.runIf(hasBrowser)("what others wrote", () => {
  it("[dashboard.hostile.issue] texts, labels, names and files of an issue are shown as text and fit", async () => {
    const screens = await start();
    const { create, openIssue } = issuePages(screens);
    const { id } = await create(`${image}${override}`, {
      description: text,
      labels: [script, "l".repeat(60)],
      assignedAgentId: "a".repeat(128),
    });
    await screens.call("POST", `/api/projects/issues/${id}/comments`, { content: text });
    const prompt = text.replace("w".repeat(9_000), "");
    const asked = await screens.call("POST", `/api/projects/issues/${id}/questions`, { prompt });
    assert.strictEqual(asked.status, 201, asked.text);
    const form = new FormData();
    form.append("file", new Blob(["x"]), `<img src=x onerror=run>${"f".repeat(120)}.txt`);
    const attached = await fetch(`${screens.server.url}/api/projects/issues/${id}/attachments`, {
      method: "POST",
      headers: { authorization: `Bearer ${screens.server.key}` },
      body: form,
    });
    assert.strictEqual(attached.status, 201, await attached.text());
    for (const size of sizeNames) {
      const page = await openIssue(id, { size });
      const requested = requestsElsewhere(page);
      await page.reload();
      await page.getByRole("heading", { name: "Activity" }).waitFor();
      await page.getByText("a link").first().waitFor();
      await page.getByText("<img src=x onerror=run>").first().waitFor();
      await page.getByText(script, { exact: true }).first().waitFor();
      await shoot(page, `hostile-issue-${size}`);
      await assertHarmless(page, requested, sizes[size].width);
      await page.goto(`${screens.server.url}/inbox`);
      await (await show(page, /./)).getByText("a link").first().waitFor();
      await shoot(page, `hostile-inbox-${size}`);
      await assertHarmless(page, requested, sizes[size].width);
    }
  });

  it("[dashboard.hostile.tools] definitions of tools are shown as text and fit", async () => {
    const screens = await start();
    const server = await install(
      screens,
      "hostile",
      [
        {
          name: "t".repeat(100),
          title: image,
          description: text,
          inputSchema: { type: "object", properties: { [script]: { description: image } } },
        },
      ],
      onTestFinished,
    );
    for (const size of sizeNames) {
      const page = await screens.open("/inbox", { size });
      const requested = requestsElsewhere(page);
      for (const path of [`/servers/${server.id}?tab=tools`, "/tools", `/servers/${server.id}`]) {
        await page.goto(`${screens.server.url}${path}`);
        await page.getByText("t".repeat(100)).first().waitFor();
        await shoot(page, `hostile-tools-${size}`);
        await assertHarmless(page, requested, sizes[size].width);
      }
    }
  });
});
