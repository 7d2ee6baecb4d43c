import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest";
import type { Page } from "playwright-core";
import { assertAccessible } from "../support/Axe.ts";
import { hasBrowser } from "../support/Browser.ts";
import { item, row, show } from "../support/Inbox.ts";
import { type Screens, shoot, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];
let screens: Screens;

const get = async (path: string) => (await screens.call("GET", path)).body;

const issue = (id: string) => get(`/api/projects/issues/${id}`);

let agents = 0;

const create = async (project: string, title: string, fields: object = {}): Promise<string> => {
  const { body, text } = await screens.call("POST", `/api/projects/${project}/issues`, {
    title,
    ...fields,
  });
  assert.isString(body.id, text);
  return body.id;
};

/** Creates an issue, which an agent of its own claims and hands in. Returns its id. */
const handedIn = async (
  project: string,
  title: string,
  outcome: string,
  comment: string,
  fields: object = {},
) => {
  const agent = `worker-${++agents}`;
  const id = await create(project, title, { assignedAgentId: agent, ...fields });
  const { body } = await screens.call("POST", `/api/agents/${agent}/heartbeat`, {});
  const path = `/api/agents/${agent}/runs/${body.started[0].runId}/finish`;
  await screens.call("POST", path, { outcome, comment });
  return id;
};

const asked = async (project: string, title: string, fields: object) => {
  const id = await create(project, title, fields);
  const { body } = await screens.call("POST", `/api/projects/issues/${id}/questions`, {
    prompt: `How shall **${title}** go on?`,
    kind: "choice",
    options: ["First", "Second", "Third"],
  });
  return body.id as string;
};

const times = <A>(count: number, make: (index: number) => Promise<A>): Promise<Array<A>> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

const inTurn = async <A>(count: number, make: (index: number) => Promise<A>): Promise<Array<A>> => {
  const all: Array<A> = [];
  for (let index = 0; index < count; index++) all.push(await make(index));
  return all;
};

const saved = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 20_000 });

/** The number of items, as the screen counts them. */
const counted = (page: Page, count: number) =>
  page.getByRole("main").getByText(String(count), { exact: true }).first().waitFor();

describe.runIf(hasBrowser)("triage of the inbox", () => {
  beforeAll(async () => {
    screens = await start((end) => endings.unshift(end));
  });
  afterAll(async () => {
    for (const end of endings) await end();
  });

  it("[dashboard.inbox.keyboard] 30 items are triaged only by keyboard, seven failures of one cause in one action", async () => {
    const project = "triage";
    const urgent = { priority: "urgent" };
    const high = { priority: "high" };
    const low = { priority: "low" };
    const questions = await times(9, (n) => asked(project, `Question ${n}`, urgent));
    const good = await times(4, (n) => handedIn(project, `Good ${n}`, "review", "Done", high));
    const failures = await inTurn(7, (n) =>
      handedIn(project, `Deploy ${n}`, "failed", `Error ${n}: no space`),
    );
    const others = await times(2, (n) =>
      handedIn(project, `Other ${n}`, "failed", "No " + "ab"[n]),
    );
    const bad = await inTurn(3, (n) => handedIn(project, `Bad ${n}`, "review", "Done", low));
    const done = await inTurn(3, (n) => handedIn(project, `Done ${n}`, "review", "Done", low));
    const late = await inTurn(2, (n) => handedIn(project, `Late ${n}`, "review", "Done", low));
    const page = await screens.open(`/inbox?project=${project}`);
    const { keyboard } = page;
    await counted(page, 30);
    const shown = (name: string) => item(page, name).waitFor();
    for (let n = 0; n < 9; n++) {
      await item(page, /Question: /)
        .getByRole("button", { name: "Third" })
        .waitFor();
      const before = (await item(page, /./).getAttribute("aria-label")) ?? "";
      await keyboard.press(String((n % 3) + 1));
      await item(page, before).waitFor({ state: "detached" });
    }
    for (let n = 0; n < 4; n++) {
      await shown("Review: Good");
      const before = (await item(page, /./).getAttribute("aria-label")) ?? "";
      await keyboard.press("a");
      await item(page, before).waitFor({ state: "detached" });
    }
    await shown("Failed: Deploy");
    await item(page, /./).getByRole("button", { name: "Retry all 7" }).waitFor();
    await keyboard.press("Shift+A");
    await counted(page, 10);
    await shown("Failed: Other");
    await keyboard.press("x");
    await keyboard.press("j");
    await keyboard.press("x");
    await page.getByRole("region", { name: "Selected items" }).getByText("2 selected").waitFor();
    await shoot(page, "inbox-selected");
    await assertAccessible(page);
    await keyboard.press("a");
    await counted(page, 8);
    for (let n = 0; n < 3; n++) {
      await shown(`Review: Bad ${n}`);
      await keyboard.press("r");
      await keyboard.type("Add a test");
      await keyboard.press("Control+Enter");
    }
    await shown("Review: Done 0");
    await counted(page, 5);
    for (const key of "xjxjx") await keyboard.press(key);
    await page.getByRole("region", { name: "Selected items" }).getByText("3 selected").waitFor();
    await keyboard.press("e");
    await counted(page, 2);
    await keyboard.press("s");
    await page.getByRole("menuitem", { name: "Until tomorrow" }).waitFor();
    await keyboard.press("ArrowDown");
    await keyboard.press("Enter");
    await counted(page, 1);
    // The decision about the issue follows before the assignment is saved.
    await page.route("**/api/projects/issues/*", async (route) => {
      if (route.request().postData()?.includes("nova") === true) await sleep(1_000);
      await route.continue();
    });
    await keyboard.press("i");
    await page.getByRole("combobox", { name: "Assign an agent…" }).waitFor();
    await keyboard.type("nova");
    await keyboard.press("Enter");
    await page.getByRole("combobox").waitFor({ state: "detached" });
    await keyboard.press("e");
    await page.getByRole("heading", { name: "Nothing matches" }).waitFor();

    await saved(async () => {
      const answers = await Promise.all(
        questions.map((id) => get(`/api/projects/questions/${id}`)),
      );
      assert.deepStrictEqual(answers.map(({ answer }) => answer).toSorted(), [
        "First",
        "First",
        "First",
        "Second",
        "Second",
        "Second",
        "Third",
        "Third",
        "Third",
      ]);
      const statuses = async (ids: ReadonlyArray<string>) =>
        new Set((await Promise.all(ids.map(issue))).map(({ status }) => status));
      assert.deepStrictEqual(await statuses([...good, ...done]), new Set(["Resolved"]));
      assert.deepStrictEqual(await statuses([...failures, ...others]), new Set(["InProgress"]));
      assert.deepStrictEqual(await statuses(bad), new Set(["Open"]));
      const ends = await Promise.all(late.map(issue));
      assert.sameMembers(
        ends.map(({ status }) => status),
        ["Resolved", "PendingReview"],
      );
      assert.include(
        ends.map(({ assignedAgentId }) => assignedAgentId),
        "nova",
      );
    });
  });

  it("[dashboard.inbox.list] an item shows what was asked, what was done, the files and a patch", async () => {
    const id = await handedIn("whole", "Make it faster", "review", "The **cache** is warm now.", {
      description: "Measure first, then make `lookup` faster.",
    });
    const patch = [
      "diff --git a/lookup.ts b/lookup.ts",
      "--- a/lookup.ts",
      "+++ b/lookup.ts",
      "@@ -1,3 +1,3 @@",
      " export const lookup = (id) => {",
      "-  return slow(id);",
      "+  return cache.get(id) ?? slow(id);",
      " };",
      "",
    ].join("\n");
    for (const [name, content] of [
      ["change.patch", patch],
      ["notes.txt", "No difference"],
    ] as const) {
      const form = new FormData();
      form.append("file", new Blob([content]), name);
      const { status } = await fetch(
        `${screens.server.url}/api/projects/issues/${id}/attachments`,
        {
          method: "POST",
          headers: { authorization: `Bearer ${screens.server.key}` },
          body: form,
        },
      );
      assert.strictEqual(status, 201);
    }
    const page = await screens.open("/inbox?project=whole");
    const shown = await show(page, "Make it faster");
    await shown.getByText("Measure first").waitFor();
    await shown.getByText("The cache is warm now.").waitFor();
    await shown.getByRole("link", { name: "notes.txt" }).waitFor();
    const diff = shown.getByRole("figure", { name: "change.patch" });
    await diff.waitFor();
    assert.deepStrictEqual(await diff.locator("del").allTextContents(), ["  return slow(id);"]);
    assert.deepStrictEqual(await diff.locator("ins").allTextContents(), [
      "  return cache.get(id) ?? slow(id);",
    ]);
    await assertAccessible(page);
    await shoot(page, "inbox-whole");
    const height = await row(page, "Make it faster").evaluate(
      (element) => element.parentElement?.offsetHeight,
    );
    assert.strictEqual(height, 44);
  });

  it("[dashboard.inbox.fast] 5,000 items are read page by page, and scroll without a wait", async () => {
    await times(25, async (n) => {
      const { body, text } = await screens.call("POST", "/api/projects/many/plan", {
        issues: Array.from({ length: 200 }, (_, index) => ({
          ref: `n${index}`,
          title: `Hand-in ${n * 200 + index}`,
        })),
      });
      assert.lengthOf(body, 200, text);
      const items = body.map((one: { readonly issue: { readonly id: string } }) => ({
        issueId: one.issue.id,
      }));
      await screens.call("POST", "/api/projects/issues/bulk", {
        items,
        change: { status: "PendingReview" },
      });
    });
    const page = await screens.open("/inbox?project=many");
    await row(page, "Hand-in").first().waitFor();
    // Scrolls to the end as fast as pages arrive, and measures the time between frames.
    const measured = await page.evaluate<{
      readonly frames: ReadonlyArray<number>;
      readonly pages: ReadonlyArray<number>;
      readonly most: number;
    }>(`new Promise((resolve) => {
      const scroller = document.querySelector("[role=list][aria-label=Items]").parentElement;
      const frames = [];
      let before = performance.now();
      let still = 0;
      let most = 0;
      const step = (now) => {
        frames.push(now - before);
        before = now;
        const from = scroller.scrollTop;
        scroller.scrollTop += 900;
        most = Math.max(most, scroller.querySelectorAll("[data-row]").length);
        still = scroller.scrollTop === from ? still + 1 : 0;
        if (still < 60) return requestAnimationFrame(step);
        const pages = performance.getEntriesByType("resource")
          .filter(({ name }) => /inbox\\?/.test(name) && !/groups/.test(name))
          .map(({ duration }) => duration);
        resolve({ frames, most, pages });
      };
      requestAnimationFrame(step);
    })`);
    const median = (values: ReadonlyArray<number>) =>
      values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
    await counted(page, 5_000);
    await row(page, "Hand-in").first().waitFor();
    assert.isAtLeast(measured.pages.length, 50);
    assert.isBelow(median(measured.pages), 100);
    assert.isBelow(median(measured.frames), 20);
    assert.isBelow(measured.most, 60);
    if (process.env["SCREENSHOTS"] !== undefined) {
      const at = (values: ReadonlyArray<number>, part: number) =>
        values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)]?.toFixed(1);
      process.stderr.write(
        `pages: median ${at(measured.pages, 0.5)} ms, p95 ${at(measured.pages, 0.95)} ms; ` +
          `${measured.frames.length} frames: median ${at(measured.frames, 0.5)} ms, ` +
          `p95 ${at(measured.frames, 0.95)} ms; at most ${measured.most} rows\n`,
      );
    }
    await shoot(page, "inbox-many");
  });
});
