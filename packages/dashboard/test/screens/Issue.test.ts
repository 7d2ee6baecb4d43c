import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest";
import { assertAccessible } from "../support/Axe.ts";
import { hasBrowser } from "../support/Browser.ts";
import { type IssuePages, issuePages } from "../support/IssuePages.ts";
import { type Screens, shoot, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];
let screens: Screens;

let pages: IssuePages;

/**
 * Creates an issue with every part that a page can show: blockers, a failed run, comments, a
 * question.
 */
const busy = async () => {
  const root = await pages.create("Upgrade the payment library", { assignedAgentId: "scribe" });
  const blocker = await pages.create("Replace the checkout form", { blockedByIssueId: root.id });
  const issue = await pages.create("Carts with more than 40 items fail at checkout", {
    priority: "urgent",
    assignedAgentId: "atlas",
    labels: ["backend", "payments"],
    description:
      "The order service rejects carts above **40 items** with a 500.\n\n- reproduce with `npm run seed:cart`\n- raise the limit\n\n```sh\ncurl -X POST /cart -d @big.json\n```",
  });
  const { body } = await screens.call("POST", "/api/agents/atlas/heartbeat", { capacity: 1 });
  const { runId } = body.started[0];
  await screens.call("POST", `/api/projects/issues/${issue.id}/comments`, {
    content: "Please keep the old limit for **guests**.",
  });
  await screens.call("POST", `/api/agents/atlas/runs/${runId}/finish`, {
    outcome: "released",
  });
  await screens.call("POST", `/api/projects/issues/${issue.id}/questions`, {
    prompt: "May I raise the limit of the cart to 200 items, or must it stay at 40?",
    kind: "choice",
    options: ["Raise it to 200", "Leave it at 40"],
    blocking: false,
  });
  await screens.call("POST", `/api/projects/issues/${issue.id}/links`, {
    targetIssueId: blocker.id,
    linkType: "BlockedBy",
  });
  return { root, blocker, issue };
};

describe.runIf(hasBrowser)("an issue", () => {
  let seeded: Awaited<ReturnType<typeof busy>>;
  beforeAll(async () => {
    screens = await start((end) => endings.unshift(end));
    pages = issuePages(screens);
    seeded = await busy();
  });
  afterAll(async () => {
    for (const end of endings) await end();
  });

  it("[dashboard.issue.key] an address with a key opens the issue, and lists link to it", async () => {
    const { key } = seeded.issue;
    const page = await screens.open(`/issues/${key.toLowerCase()}`);
    await page.getByRole("heading", { name: "Carts with more than 40 items" }).waitFor();
    await page.getByLabel("Breadcrumb").getByText(key).waitFor();
    await page.getByLabel("Breadcrumb").getByRole("link", { name: "Work" }).click();
    await page
      .getByRole("article", { name: "Carts with more than 40 items" })
      .getByText(key)
      .waitFor();
    await page.getByRole("link", { name: "Carts with more than 40 items" }).click();
    await page.waitForURL(`**/issues/${key}`);
    const unknown = `${key.split("-")[0]}-99999`;
    const gone = await screens.open(`/issues/${unknown}`);
    await gone.getByRole("heading", { name: `No issue has the key ${unknown}` }).waitFor();
    await assertAccessible(gone);
    await shoot(gone, "issue-not-found");
  });

  for (const [theme, size] of [
    ["light", "wide"],
    ["dark", "narrow"],
  ] as const) {
    it(`[dashboard.accessible] the issue page is accessible, ${theme} and ${size}`, async () => {
      const page = await pages.openIssue(seeded.issue.id, { theme, size });
      await page.getByText("Please keep the old limit for").waitFor();
      await page.getByRole("complementary").getByText("Not picked up").waitFor();
      await assertAccessible(page);
      await shoot(page, `issue-${theme}-${size}`);
      const width = await page.evaluate("document.documentElement.scrollWidth");
      assert.isAtMost(Number(width), size === "wide" ? 1_440 : 390);
    });
  }

  it("[dashboard.issue] shows runs, changes, blockers and roots, and changes in the meantime", async () => {
    const page = await pages.openIssue(seeded.issue.id);
    await page.getByText("Attempt 1").waitFor();
    await page.getByText("Released it").waitFor();
    const side = page.getByRole("complementary");
    await side.getByRole("link", { name: "Replace the checkout form" }).first().waitFor();
    await side.getByRole("link", { name: "Upgrade the payment library" }).waitFor();
    await screens.call("POST", `/api/projects/issues/${seeded.issue.id}/comments`, {
      content: "Written by another person",
    });
    await page.getByText("Written by another person").waitFor();
    await page.getByRole("button", { name: "Runs", exact: true }).click();
    await page.getByText("Written by another person").waitFor({ state: "detached" });
    assert.include(page.url(), "show=runs");
    await side.getByRole("link", { name: "Upgrade the payment library" }).click();
    await page.getByRole("heading", { level: 1, name: "Upgrade the payment library" }).waitFor();
  });

  it("[dashboard.comment] a comment is sent by keyboard, and survives a failed send and a reload", async () => {
    const { id } = await pages.create("Commented");
    const page = await pages.openIssue(id);
    await page.route("**/comments", (route) =>
      route.request().method() === "POST" ? route.abort() : route.fallback(),
    );
    await page.keyboard.press("r");
    await page.keyboard.type("Looks **good** to me");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("alert").waitFor();
    await page.unroute("**/comments");
    await page.reload();
    const input = page.getByLabel("Comment", { exact: true });
    await input.waitFor();
    assert.strictEqual(await input.inputValue(), "Looks **good** to me");
    await input.press("Control+Enter");
    await page.getByRole("listitem").filter({ hasText: "Looks good to me" }).waitFor();
    await vi.waitFor(async () => assert.strictEqual(await input.inputValue(), ""), {
      timeout: 10_000,
    });
    const { body } = await screens.call("GET", `/api/projects/issues/${id}/comments`);
    assert.lengthOf(body, 1);
  });

  it("[dashboard.issue.open] Enter, a click and the palette open an issue, and Escape goes back", async () => {
    const { id } = await pages.create("Opened from everywhere");
    const page = await screens.open("/work?project=shop");
    const title = page.getByRole("heading", { level: 1, name: "Opened from everywhere" });
    await page.getByRole("article", { name: "Opened from everywhere" }).focus();
    await page.keyboard.press("Enter");
    await title.waitFor();
    await page.keyboard.press("Escape");
    // The page shows changes that happened while another screen was open.
    await screens.call("PUT", `/api/projects/issues/${id}`, { description: "Changed elsewhere" });
    await page.getByRole("article", { name: "Opened from everywhere" }).click();
    await page.getByText("Changed elsewhere").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("article", { name: "Opened from everywhere" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("from everywhere");
    await page.getByRole("option", { name: "Opened from everywhere" }).click();
    await title.waitFor();
  });

  it("[dashboard.issue.properties] status, agent, labels and links are changed only by keyboard", async () => {
    await pages.create("Found by its words");
    const { id } = await pages.create("Changed by keyboard");
    const page = await pages.openIssue(id, { theme: "dark" });
    const side = page.getByRole("complementary");
    const pick = async (key: string, name: string, text: string) => {
      await page.keyboard.press(key);
      await page.getByRole("combobox", { name }).fill(text);
    };
    await pick("i", "Assign an agent…", "nova");
    await shoot(page, "picker-dark");
    await page.keyboard.press("Enter");
    await side.getByRole("button", { name: "Agent nova" }).waitFor();
    await pick("l", "Add or remove labels…", "urgent fix");
    await page.keyboard.press("Enter");
    await page.getByRole("option", { name: "urgent fix" }).waitFor();
    await page.keyboard.press("Escape");
    await pick("s", "Move to…", "review");
    await page.keyboard.press("Enter");
    await side.getByRole("button", { name: "Status In review" }).waitFor();
    await pick("b", "Blocked by…", "its words");
    await page.getByRole("option", { name: "Found by its words" }).waitFor();
    await page.keyboard.press("Enter");
    const links = side.getByRole("region", { name: "Blocked by" });
    await links.getByRole("link", { name: "Found by its words" }).waitFor();
    await side.getByRole("button", { name: "Status Waiting" }).waitFor();
    await page.getByRole("button", { name: "Remove the link to Found by its words" }).click();
    await links.getByRole("link").waitFor({ state: "detached" });
    const { assignedAgentId, labels } = await pages.get(id);
    assert.deepStrictEqual([assignedAgentId, labels], ["nova", ["urgent fix"]]);
  });

  it("[dashboard.issue.files] files are chosen, pasted and dropped, shown, sent again and removed", async () => {
    const { id } = await pages.create("Has files");
    const page = await pages.openIssue(id);
    const files = page.getByRole("region", { name: "Attachments" });
    const pixel =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    await files.getByLabel("Files to attach").setInputFiles({
      name: "screen.png",
      mimeType: "image/png",
      buffer: Buffer.from(pixel, "base64"),
    });
    await files.getByRole("button", { name: "Preview screen.png" }).locator("img").waitFor();
    await page.route("**/attachments", (route) =>
      route.request().method() === "POST" ? route.abort() : route.fallback(),
    );
    const give = (event: string, type: string, field: string, name: string) =>
      page.evaluate(`(() => {
        const ${field} = new DataTransfer();
        ${field}.items.add(new File(["words"], "${name}", { type: "text/plain" }));
        document.body.dispatchEvent(new ${event}("${type}", { ${field}, bubbles: true }));
      })()`);
    await give("DragEvent", "drop", "dataTransfer", "dropped.txt");
    await files.getByRole("alert").waitFor();
    await page.unroute("**/attachments");
    await files.getByRole("button", { name: "Try again" }).click();
    await files.getByRole("link", { name: "dropped.txt" }).waitFor();
    await give("ClipboardEvent", "paste", "clipboardData", "pasted.txt");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      files.getByRole("link", { name: "pasted.txt" }).click(),
    ]);
    assert.strictEqual(download.suggestedFilename(), "pasted.txt");
    await shoot(page, "files");
    await files.getByRole("button", { name: "Remove pasted.txt" }).click();
    await files.getByRole("button", { name: "Permanently remove pasted.txt" }).click();
    await files.getByRole("link", { name: "pasted.txt" }).waitFor({ state: "detached" });
    const { body } = await screens.call("GET", `/api/projects/issues/${id}/attachments`);
    assert.lengthOf(body, 2);
  });

  it("[dashboard.issue] an issue that does not exist is explained", async () => {
    const page = await screens.open("/issues/iss_00000000000000000000000000");
    await page.getByRole("heading", { level: 1, name: "No issue has this id" }).waitFor();
    await page.getByRole("link", { name: "All issues" }).click();
    await page.getByRole("heading", { name: "Work" }).waitFor();
  });

  it("[dashboard.issue.siblings] an issue links to the next and the previous issue of the list that the user came from", async () => {
    for (const title of ["Sibling one", "Sibling two", "Sibling three"]) await pages.create(title);
    const page = await screens.open("/work?project=shop&q=sibling&view=list");
    const title = (name: string) => page.getByRole("heading", { level: 1, name });
    await page.getByRole("article", { name: "Sibling two" }).focus();
    await page.keyboard.press("Enter");
    await title("Sibling two").waitFor();
    await page.keyboard.press("j");
    await title("Sibling one").waitFor();
    await page.keyboard.press("k");
    await title("Sibling two").waitFor();
    await page.getByRole("link", { name: "Previous issue" }).click();
    await title("Sibling three").waitFor();
    assert.strictEqual(await page.getByRole("link", { name: "Previous issue" }).count(), 0);
    await assertAccessible(page);
    await shoot(page, "siblings");
    await page.keyboard.press("Escape");
    await page.getByRole("article", { name: "Sibling two" }).waitFor();
  });

  it("[dashboard.issue.linked] the activity names the issues that were linked", async () => {
    const { id } = await pages.create("Blocks by name");
    const { id: other } = await pages.create("Named in the activity");
    await screens.call("POST", `/api/projects/issues/${id}/links`, {
      targetIssueId: other,
      linkType: "Blocks",
    });
    const page = await pages.openIssue(id);
    const change = page.getByRole("listitem").filter({ hasText: "made it block" });
    await change.getByRole("link", { name: "Named in the activity" }).waitFor();
    await shoot(page, "linked");
  });

  it("[dashboard.comment.tabs] tabs share the draft of a comment, and sending it clears both", async () => {
    const { id } = await pages.create("Open in two tabs");
    const page = await pages.openIssue(id);
    const other = await page.context().newPage();
    await other.goto(page.url());
    const input = page.getByRole("textbox", { name: "Comment" });
    const there = other.getByRole("textbox", { name: "Comment" });
    await there.waitFor();
    await input.fill("Written here");
    await other.locator("textarea", { hasText: "Written here" }).waitFor();
    await input.press("Control+Enter");
    await page.getByRole("listitem").filter({ hasText: "Written here" }).waitFor();
    await vi.waitFor(async () => assert.strictEqual(await there.inputValue(), ""));
    await there.fill("Mine");
    await vi.waitFor(async () => assert.strictEqual(await input.inputValue(), "Mine"));
    await input.fill("Yours");
    await input.fill("");
    await vi.waitFor(async () => assert.strictEqual(await there.inputValue(), ""));
  });
});
