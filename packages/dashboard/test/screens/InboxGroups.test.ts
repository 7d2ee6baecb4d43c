import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest";
import { assertAccessible } from "../support/Axe.ts";
import { hasBrowser } from "../support/Browser.ts";
import { item, row } from "../support/Inbox.ts";
import { type Screens, shoot, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];
let screens: Screens;

const get = async (path: string) => (await screens.call("GET", path)).body;

let agents = 0;

/** Creates an issue, which an agent of its own claims and hands in. Returns its id. */
const handedIn = async (title: string, outcome: string, comment: string, fields: object = {}) => {
  const agent = `builder-${++agents}`;
  const made = await screens.call("POST", "/api/projects/groups/issues", {
    title,
    assignedAgentId: agent,
    ...fields,
  });
  const { body } = await screens.call("POST", `/api/agents/${agent}/heartbeat`, {});
  const path = `/api/agents/${agent}/runs/${body.started[0].runId}/finish`;
  await screens.call("POST", path, { outcome, comment });
  return made.body.id as string;
};

const saved = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 10_000 });

describe.runIf(hasBrowser)("groups of the inbox", () => {
  beforeAll(async () => {
    screens = await start((end) => endings.unshift(end));
  });
  afterAll(async () => {
    for (const end of endings) await end();
  });

  it("[dashboard.inbox.groups] seven failures of one cause are retried by one button", async () => {
    const ids: Array<string> = [];
    for (let n = 0; n < 7; n++) {
      ids.push(await handedIn(`Deploy ${n}`, "failed", `Error ${500 + n}: no space\nin job ${n}`));
    }
    const other = await handedIn("Publish", "failed", "The registry refused it");
    const page = await screens.open("/inbox?kind=failed");
    const group = page.getByRole("region", { name: "7 failures of one cause" });
    await group.getByText("Error 500: no space").waitFor();
    await assertAccessible(page);
    await shoot(page, "groups");
    await group.getByRole("button", { name: "Retry all 7" }).click();
    await row(page, "Deploy").first().waitFor({ state: "detached" });
    assert.strictEqual(await row(page, /./).count(), 1);
    for (const id of ids) {
      assert.strictEqual((await get(`/api/projects/issues/${id}`)).status, "InProgress");
    }
    assert.strictEqual((await get(`/api/projects/issues/${other}`)).paused, true);
  });

  it("[dashboard.inbox.groups] failures that are not retried are named", async () => {
    const ids: Array<string> = [];
    for (let n = 0; n < 2; n++) ids.push(await handedIn(`Build ${n}`, "failed", `Crash ${n}`));
    const page = await screens.open("/inbox?kind=failed");
    const group = page.getByRole("region", { name: "2 failures of one cause" });
    await group.waitFor();
    // The page misses another person's change.
    await page.route("**/api/inbox?*", (route) => route.abort());
    await screens.call("PUT", `/api/projects/issues/${ids[0]}`, { status: "Closed" });
    await group.getByRole("button", { name: "Retry all 2" }).click();
    await group.getByText(/1 of 2 were not retried\. .*Closed/).waitFor();
    await saved(async () =>
      assert.strictEqual((await get(`/api/projects/issues/${ids[1]}`)).status, "InProgress"),
    );
  });

  it("[dashboard.inbox.snooze] an item is snoozed by keyboard, and the most blocking one says so", async () => {
    await handedIn("First review", "review", "Done");
    const blocker = await handedIn("Second review", "review", "Done");
    for (let n = 0; n < 2; n++) {
      await screens.call("POST", "/api/projects/groups/issues", {
        title: "Waits",
        blockedByIssueId: blocker,
      });
    }
    const page = await screens.open("/inbox?kind=review");
    const reviews = row(page, /./);
    await row(page, "Second review").getByText("Blocks 2").waitFor();
    assert.match((await reviews.first().textContent()) ?? "", /^Second review/);
    await item(page, "Second review").waitFor();
    await page.keyboard.press("s");
    await page.getByRole("menuitem", { name: "Until tomorrow" }).waitFor();
    await shoot(page, "snooze");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await row(page, "Second review").waitFor({ state: "detached" });
    await saved(async () => {
      const left: ReadonlyArray<{ readonly title: string }> = await get("/api/inbox?kind=review");
      assert.deepStrictEqual(
        left.map(({ title }) => title),
        ["First review"],
      );
    });
    await page.reload();
    await row(page, "First review").waitFor();
    assert.strictEqual(await reviews.count(), 1);
  });

  it("[dashboard.inbox.mine] a filter shows only the items of the user", async () => {
    const { principal } = await get("/api/session");
    await handedIn("My review", "review", "Done", { assigneeUserId: principal.id });
    const page = await screens.open("/inbox?kind=review");
    await row(page, "My review").waitFor();
    await page.keyboard.press("f");
    await page.getByRole("menuitem", { name: "Only mine" }).click();
    await row(page, "First review").waitFor({ state: "detached" });
    await row(page, "My review").waitFor();
    assert.strictEqual(await row(page, /./).count(), 1);
    await page.getByRole("button", { name: /Mine/ }).click();
    await row(page, "First review").waitFor();
  });
});
