import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest";
import type { Page } from "playwright-core";
import { assertAccessible } from "../support/Axe.ts";
import { hasBrowser, sizes } from "../support/Browser.ts";
import { opposites, type Screens, seed, shoot, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];
let screens: Screens;

const column = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const card = (page: Page, name: string) => page.getByRole("article", { name });

/** The server's status of an issue, by its title. */
const statusOf = async (title: string) => {
  const { body } = await screens.call("GET", "/api/projects/issues?limit=500");
  return body.find((issue: { readonly title: string }) => issue.title === title)?.status;
};

const create = async (title: string, fields: object = {}) =>
  (await screens.call("POST", "/api/projects/work/issues", { title, ...fields })).body;

describe.runIf(hasBrowser)("work", () => {
  beforeAll(async () => {
    screens = await start((end) => endings.unshift(end));
    await seed(screens);
  });
  afterAll(async () => {
    for (const end of endings) await end();
  });

  for (const { size, theme } of opposites) {
    it(`[dashboard.accessible] the board and the list are accessible, ${theme} and ${size}`, async () => {
      const page = await screens.open("/work", { theme, size });
      await card(page, "Write release notes for 2.4").waitFor();
      await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
      await assertAccessible(page);
      await shoot(page, `board-${theme}-${size}`);
      await page.getByRole("tab", { name: "List" }).click();
      await card(page, "Write release notes for 2.4").waitFor();
      await assertAccessible(page);
      await shoot(page, `list-${theme}-${size}`);
      await page.keyboard.press("c");
      await page.getByLabel("Title").waitFor();
      await assertAccessible(page);
      await shoot(page, `create-${theme}-${size}`);
    });
  }

  it("[dashboard.live] another client's change is on the screen in time, without another list", async () => {
    const page = await screens.open("/work");
    await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
    await card(page, "Write release notes for 2.4").waitFor();
    const { id } = await create("Made by another person");
    await column(page, "Open").getByRole("article", { name: "Made by another person" }).waitFor();
    await screens.call("PUT", `/api/projects/issues/${id}`, { status: "PendingReview" });
    await column(page, "In review")
      .getByRole("article", { name: "Made by another person" })
      .waitFor();
    await screens.call("DELETE", `/api/projects/issues/${id}?confirm=true`);
    await card(page, "Made by another person").waitFor({ state: "detached" });
  });

  it("[dashboard.create] c creates an issue in the chosen project", async () => {
    const page = await screens.open("/work?project=web");
    await card(page, "Write release notes for 2.4").waitFor();
    await page.keyboard.press("c");
    await page.getByLabel("Title").waitFor();
    await page.keyboard.type("Made by keyboard");
    await page.keyboard.press("Control+Enter");
    await column(page, "Open").getByRole("article", { name: "Made by keyboard" }).waitFor();
    assert.strictEqual(await statusOf("Made by keyboard"), "Open");
  });

  it("[dashboard.drag] a card can be dragged where the lifecycle allows it, and other columns show the reason", async () => {
    await create("Dragged");
    const page = await screens.open("/work?project=work");
    const from = await card(page, "Dragged").boundingBox();
    const to = await column(page, "In review").boundingBox();
    const waiting = await column(page, "Waiting").boundingBox();
    if (from === null || to === null || waiting === null) throw new Error("They are on the board.");
    await page.mouse.move(from.x + 40, from.y + 20);
    await page.mouse.down();
    await page.mouse.move(from.x + 60, from.y + 40, { steps: 4 });
    await page.mouse.move(waiting.x + 80, waiting.y + 200, { steps: 6 });
    await column(page, "Waiting").getByText("No open issue blocks this one").waitFor();
    await shoot(page, "drag");
    await page.mouse.move(to.x + 80, to.y + 200, { steps: 6 });
    await page.mouse.up();
    await column(page, "In review").getByRole("article", { name: "Dragged" }).waitFor();
    await vi.waitFor(async () => assert.strictEqual(await statusOf("Dragged"), "PendingReview"), {
      timeout: 10_000,
    });
  });

  it("[dashboard.keyboard] cards are reached, selected and moved only by keyboard", async () => {
    await create("First by keyboard");
    await create("Second by keyboard");
    const page = await screens.open("/work?project=work&q=keyboard");
    await card(page, "Second by keyboard").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByRole("region", { name: "Selected issues" }).getByText("2 selected").waitFor();
    await page.keyboard.press("m");
    await page.getByRole("menuitem", { name: "Resolved" }).waitFor();
    await shoot(page, "menu");
    await page.keyboard.type("Resolved");
    await page.keyboard.press("Enter");
    for (const title of ["First by keyboard", "Second by keyboard"]) {
      await column(page, "Resolved").getByRole("article", { name: title }).waitFor();
    }
  });

  it("[dashboard.filters] filters are in the URL, and survive a reload", async () => {
    const page = await screens.open("/work");
    await card(page, "Move image resizing to a worker").waitFor();
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await page.getByRole("option", { name: "scribe" }).click();
    await card(page, "Move image resizing to a worker").waitFor({ state: "detached" });
    assert.include(page.url(), "assignee=scribe");
    await page.reload();
    await card(page, "Write release notes for 2.4").waitFor();
    assert.strictEqual(await card(page, "Move image resizing to a worker").count(), 0);
  });

  it("[dashboard.filters.state] labels, pauses and readiness filter the board, also as they change", async () => {
    const ready = await create("Can start", { assignedAgentId: "atlas", labels: ["api", "bug"] });
    await create("Has no agent", { labels: ["api"] });
    const page = await screens.open("/work?project=work");
    await card(page, "Has no agent").waitFor();
    const filter = async (name: string) => {
      await page.getByRole("button", { name: "Filter", exact: true }).click();
      await page.getByRole("option", { name, exact: true }).click();
    };
    await filter("bug");
    await card(page, "Has no agent").waitFor({ state: "detached" });
    await filter("Ready");
    await page.waitForURL(/label=bug&ready=true/);
    await card(page, "Can start").waitFor();
    await shoot(page, "filters");
    await screens.call("PUT", "/api/agents/atlas", { paused: true });
    await card(page, "Can start").waitFor({ state: "detached" });
    await screens.call("PUT", "/api/agents/atlas", { paused: false });
    await card(page, "Can start").waitFor();
    // Faster than the page draws: the second removal does not bring the first filter back.
    await page
      .getByRole("button", { name: /^Remove the filter/ })
      .evaluateAll<void, { click(): void }>((all) => all.forEach((button) => button.click()));
    await page.waitForURL(/\/work$/);
    await card(page, "Has no agent").waitFor();
    await filter("Paused");
    await card(page, "Can start").waitFor({ state: "detached" });
    await screens.call("PUT", `/api/projects/issues/${ready.id}`, { status: "InProgress" });
    await screens.call("POST", `/api/projects/issues/${ready.id}/pause`, {});
    await card(page, "Can start").waitFor();
  });

  it("[dashboard.filters.none] filters that match nothing are shown and removed, on the board and in the list", async () => {
    const { id } = await create("Waits for a person");
    await screens.call("PUT", `/api/projects/issues/${id}`, { assigneeUserId: "ada" });
    for (const view of ["", "&view=list"]) {
      const page = await screens.open(`/work?project=work${view}`);
      await card(page, "Waits for a person").waitFor();
      await page.getByRole("button", { name: "Filter", exact: true }).click();
      await page.getByRole("option", { name: "ada", exact: true }).click();
      await page.getByRole("button", { name: "Remove the filter ada" }).waitFor();
      await card(page, "Waits for a person").waitFor();
      await page.getByRole("searchbox", { name: "Find in issues" }).fill("certificate");
      await page.getByRole("heading", { name: "No issues match" }).waitFor();
      await assertAccessible(page);
      await shoot(page, `none${view}`);
      await page.getByRole("button", { name: "Remove the filters" }).click();
      await card(page, "Rotate the signing keys").waitFor();
      assert.strictEqual(await page.getByRole("heading", { name: "No issues match" }).count(), 0);
      assert.notInclude(page.url(), "ada");
    }
  });

  it("[dashboard.filters.remembered] the last filters of a project are restored with it", async () => {
    const page = await screens.open("/work");
    const filter = async (name: string) => {
      await page.getByRole("button", { name: "Filter", exact: true }).click();
      await page.getByRole("option", { name, exact: true }).click();
    };
    await card(page, "Write release notes for 2.4").waitFor();
    await filter("web");
    await filter("Urgent");
    await filter("media");
    const urgent = page.getByRole("button", { name: "Remove the filter urgent" });
    await urgent.click();
    await urgent.waitFor({ state: "detached" });
    await page.getByRole("link", { name: /^Inbox/ }).click();
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
    await page.getByRole("link", { name: "Work" }).click();
    await card(page, "Move image resizing to a worker").waitFor();
    assert.match(page.url(), /\/work\?project=media$/);
    await filter("web");
    await page.getByRole("button", { name: "Remove the filter urgent" }).waitFor();
    assert.match(page.url(), /project=web&priority=urgent/);
  });

  it("[dashboard.hostile] long labels leave the age and the menu of a row in view", async () => {
    const labels = ["first", "second", "third", "fourth"].map(
      (name) => `${name}-${"x".repeat(50)}`,
    );
    await create("Has many labels", { labels });
    for (const size of ["wide", "narrow"] as const) {
      const page = await screens.open("/work?project=work&view=list&q=labels", { size });
      const row = card(page, "Has many labels");
      await row.waitFor();
      const { width } = sizes[size];
      for (const part of [row.getByRole("button"), row.locator("time")]) {
        const box = await part.boundingBox();
        assert.isAtMost((box?.x ?? width) + (box?.width ?? 0), width);
      }
      const title = await row.getByRole("link").boundingBox();
      assert.isAbove(title?.width ?? 0, 90);
      await shoot(page, `labels-${size}`);
      await page.getByRole("tab", { name: "Board" }).click();
      await card(page, "Has many labels")
        .getByTitle(labels[2] ?? "")
        .waitFor();
    }
  });

  it("[dashboard.bulk] selected issues get a label and an agent together", async () => {
    const ids = [(await create("Bulk one")).id, (await create("Bulk two", { labels: ["old"] })).id];
    const page = await screens.open("/work?project=work&q=bulk");
    for (const title of ["Bulk one", "Bulk two"]) {
      await card(page, title).focus();
      await page.keyboard.press("x");
    }
    const bar = page.getByRole("region", { name: "Selected issues" });
    await bar.getByRole("button", { name: "Label" }).click();
    await page.getByRole("combobox", { name: "Label" }).fill("shared");
    await assertAccessible(page);
    await shoot(page, "label");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: /^Label / }).waitFor({ state: "detached" });
    for (const title of ["Bulk one", "Bulk two"]) {
      await card(page, title).getByText("shared").waitFor();
      await card(page, title).focus();
      await page.keyboard.press("x");
    }
    await page.keyboard.press("i");
    const assign = page.getByRole("dialog", { name: /^Assign / });
    await assign.getByRole("button", { name: "Assign", disabled: true }).waitFor();
    // Nothing to assign yet: the keys do no more than the button.
    await page.keyboard.press("Control+Enter");
    await page.getByRole("combobox", { name: "Agent" }).fill("bulk-agent");
    await page.keyboard.press("Control+Enter");
    await assign.waitFor({ state: "detached" });
    const saved = await Promise.all(
      ids.map(async (id) => (await screens.call("GET", `/api/projects/issues/${id}`)).body),
    );
    assert.deepStrictEqual(
      saved.map(({ assignedAgentId, labels }) => ({ assignedAgentId, labels })),
      [
        { assignedAgentId: "bulk-agent", labels: ["shared"] },
        { assignedAgentId: "bulk-agent", labels: ["old", "shared"] },
      ],
    );
  });

  it("[dashboard.bulk.actions] selected issues are paused, resumed, moved with an undo, and deleted together", async () => {
    const agent = "many-agent";
    const titles = ["Many one", "Many two", "Many three"];
    const ids: Array<string> = [];
    for (const [n, title] of titles.entries()) {
      ids.push((await create(title, n < 2 ? { assignedAgentId: agent } : {})).id);
    }
    await screens.call("POST", "/api/projects", { id: "archive" });
    await screens.call("POST", `/api/agents/${agent}/heartbeat`, { capacity: 2 });
    const issues = async () =>
      Promise.all(
        ids.map(async (id) => (await screens.call("GET", `/api/projects/issues/${id}`)).body),
      );
    const eventually = (fields: object) =>
      vi.waitFor(
        async () => {
          for (const issue of (await issues()).slice(0, 2)) assert.deepInclude(issue, fields);
        },
        { timeout: 10_000 },
      );
    const page = await screens.open("/work?q=many");
    for (const title of titles) {
      await card(page, title).focus();
      await page.keyboard.press("x");
    }
    const bar = page.getByRole("region", { name: "Selected issues" });
    const choose = async (name: string) => {
      await bar.getByRole("button", { name: "Change" }).click();
      await page.getByRole("menuitem", { name }).click();
    };
    await choose("Pause 2 issues");
    await eventually({ paused: true });
    await choose("Resume 2 issues");
    await eventually({ paused: false, status: "InProgress" });
    await choose("Pause 2 issues");
    await eventually({ paused: true });
    // An issue with a live run cannot move.
    const { body } = await screens.call("GET", `/api/agents/${agent}/runs`);
    for (const { id } of body) {
      await screens.call("POST", `/api/agents/${agent}/runs/${id}/finish`, { outcome: "released" });
    }
    await choose("Move to another project…");
    await page.getByRole("option", { name: "archive" }).click();
    await eventually({ projectId: "archive" });
    await page.getByText("Moved 3 issues to archive").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await vi.waitFor(async () => {
      for (const { projectId } of await issues()) assert.strictEqual(projectId, "work");
    }, 10_000);
    for (const title of titles) {
      await card(page, title).focus();
      await page.keyboard.press("x");
    }
    await choose("Delete…");
    const dialog = page.getByRole("dialog", { name: "Delete 3 issues?" });
    await assertAccessible(page);
    await dialog.getByRole("button", { name: "Delete permanently" }).click();
    for (const title of titles) await card(page, title).waitFor({ state: "detached" });
    assert.deepStrictEqual(
      (await issues()).map(({ status }) => status),
      [404, 404, 404],
    );
  });

  it("[dashboard.end] the page describes the effects of closing and deleting before it does either", async () => {
    const { id } = await create("Ends first");
    await create("Waits for the end", { blockedByIssueId: id });
    const page = await screens.open("/work?project=work", { size: "narrow", theme: "dark" });
    const choose = async (name: string) => {
      await page.getByRole("button", { name: "Change Ends first" }).click();
      await page.getByRole("menuitem", { name }).click();
    };
    await choose("Close…");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("If you close it anyway").waitFor();
    await dialog.getByRole("link", { name: "Waits for the end" }).waitFor();
    await assertAccessible(page);
    await shoot(page, "close");
    await dialog.getByRole("button", { name: "Close anyway" }).click();
    await column(page, "Closed").getByRole("article", { name: "Ends first" }).waitFor();
    await choose("Delete…");
    await dialog.getByText("This permanently deletes the issue").waitFor();
    await dialog.getByRole("button", { name: "Delete permanently" }).click();
    await card(page, "Ends first").waitFor({ state: "detached" });
    await column(page, "Open").getByRole("article", { name: "Waits for the end" }).waitFor();
  });

  it("[dashboard.refused] a refused change is undone and explained with the API's message", async () => {
    const { id } = await create("Blocker");
    await create("Blocked", { blockedByIssueId: id });
    const page = await screens.open("/work?project=work");
    await card(page, "Blocked").waitFor();
    // The page shows no open issue, as if it had missed an event.
    await page.route("**/api/projects/issues?*", (route) => route.abort());
    await page.getByRole("button", { name: "Change Blocker" }).click();
    await page.getByRole("menuitem", { name: /Closed/ }).waitFor();
    assert.isTrue(
      await page.getByRole("menuitem", { name: /It blocks 1 open issue/ }).isDisabled(),
    );
    await page.keyboard.press("Escape");
    await screens.call("PUT", `/api/projects/issues/${id}`, {
      title: "Blocker renamed",
      priority: "low",
    });
    await page.getByRole("button", { name: "Change Blocker" }).click();
    await page.getByRole("menuitem", { name: "Urgent", exact: true }).click();
    await page.getByText("Change not saved").first().waitFor();
    await card(page, "Blocker renamed").waitFor();
  });

  it("[dashboard.hostile] titles and ids by others are always shown as text", async () => {
    const titles = [
      `<img src=x onerror="document.title='run'"><script>document.title='run'</script>`,
      "x".repeat(256),
      "\u202Eright to left\u0007",
      "🦊".repeat(40),
    ];
    for (const title of titles) await create(title, { assignedAgentId: "a".repeat(128) });
    for (const size of ["wide", "narrow"] as const) {
      const page = await screens.open("/work?project=work&view=list", { size });
      await page.getByText("<img src=x").first().waitFor();
      assert.match(await page.title(), /Work · Quartermaster$/);
      const width = await page.evaluate("document.documentElement.scrollWidth");
      assert.isAtMost(Number(width), size === "wide" ? 1_440 : 390);
      await shoot(page, `hostile-${size}`);
    }
  });

  it("[dashboard.one-stream] two tabs share one event stream, and the second continues it", async () => {
    const page = await screens.open("/work");
    await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
    const streams: Array<string> = [];
    page.context().on("request", (request) => {
      if (request.url().includes("/api/events")) streams.push(request.url());
    });
    const second = await page.context().newPage();
    await second.goto(`${screens.server.url}/work`);
    await second.getByRole("status").filter({ hasText: "Live" }).waitFor();
    assert.deepStrictEqual(streams, []);
    await create("Seen in both tabs");
    for (const tab of [page, second]) await card(tab, "Seen in both tabs").waitFor();
    await page.close();
    await create("Seen after the first tab closed");
    await card(second, "Seen after the first tab closed").waitFor();
    assert.lengthOf(streams, 1);
  });

  it("[dashboard.live.opening] a change between the first list and the opening of the stream is on the screen", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const page = await screens.open("/overview");
    await page.route(/\/api\/events(\?|$)/, async (route) => {
      await promise;
      await route.continue();
    });
    await page.goto(`${screens.server.url}/work`);
    await column(page, "Open").getByRole("article").first().waitFor();
    await create("Created before the stream opened");
    resolve();
    await card(page, "Created before the stream opened").waitFor();
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });

  it("[dashboard.board.fold] columns of finished work are narrower, and stay folded in this browser", async () => {
    const page = await screens.open("/work");
    await column(page, "Open").getByRole("article").first().waitFor();
    const folded = column(page, "Resolved").locator("button[aria-expanded=false]");
    const widthOf = async (name: string) =>
      (await column(page, name).boundingBox())?.width ?? Number.NaN;
    assert.isBelow(await widthOf("Resolved"), 0.7 * (await widthOf("Open")));
    await column(page, "Resolved").getByRole("button", { name: "Fold Resolved" }).click();
    await folded.waitFor();
    await page.reload();
    await folded.waitFor();
    assert.isBelow(await widthOf("Resolved"), 50);
    await assertAccessible(page);
    await shoot(page, "folded");
    await folded.click();
    await column(page, "Resolved").getByRole("article").first().waitFor();
  });

  it("[dashboard.labels.color] a label has the same color everywhere", async () => {
    await create("Colored once", { labels: ["bug", "design"] });
    await create("Colored twice", { labels: ["bug"] });
    const page = await screens.open("/work?q=colored&view=list");
    await card(page, "Colored twice").waitFor();
    const colors: ReadonlyArray<string> = await page.evaluate(
      "[...document.querySelectorAll('article i')].map((dot) => getComputedStyle(dot).backgroundColor)",
    );
    assert.lengthOf(colors, 3);
    assert.strictEqual(new Set(colors).size, 2);
    await shoot(page, "labels");
  });

  it("[dashboard.narrow.titles] at 390 px a title of the list has two lines", async () => {
    const title =
      "A title that does not fit into one line of a phone, so that it needs a second one";
    await create(title, { labels: ["bug"] });
    const page = await screens.open("/work?q=phone&view=list", { size: "narrow" });
    const box = await card(page, title).getByRole("link").boundingBox();
    assert.isAbove(box?.height ?? 0, 30);
    assert.isAbove(box?.width ?? 0, 250);
    await assertAccessible(page);
    await shoot(page, "titles-light-narrow");
  });
});
