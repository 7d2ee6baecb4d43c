import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { assertAccessible } from "../support/Axe.ts";
import { hasBrowser } from "../support/Browser.ts";
import { type Screens, shoot, start } from "../support/Screens.ts";

const endings: Array<() => Promise<void>> = [];
let screens: Screens;

describe.runIf(hasBrowser)("the first steps", () => {
  beforeAll(async () => {
    screens = await start((end) => endings.unshift(end));
  });
  afterAll(async () => {
    for (const end of endings) await end();
  });

  it("[dashboard.first-steps] three steps tick themselves, and vanish when the last one is done", async () => {
    const { url } = screens.server;
    const page = await screens.open("/inbox");
    const step = (name: string) => page.getByRole("heading", { name, exact: true });
    for (const name of ["Create an issue", "Run an agent", "Answer it"]) await step(name).waitFor();
    await page.getByText(`npx quartermaster demo --url ${url}`).waitFor();
    await assertAccessible(page);
    await shoot(page, "first-steps");

    const body = { title: "Say hello", assignedAgentId: "agent-1" };
    const { id } = (await screens.call("POST", "/api/projects/shop/issues", body)).body;
    await step("Create an issue, done").waitFor();
    assert.strictEqual(await step("Run an agent").count(), 1);

    const beat = await screens.call("POST", "/api/agents/agent-1/heartbeat");
    await step("Run an agent, done").waitFor();
    const run = `/api/agents/agent-1/runs/${beat.body.started[0].runId}`;
    await screens.call("POST", `${run}/finish`, { outcome: "review" });
    await page.getByRole("article", { name: /Say hello/ }).waitFor();
    await screens.call("PUT", `/api/projects/issues/${id}`, { status: "Resolved" });
    await page.getByRole("heading", { name: "Nothing needs your attention" }).waitFor();
    await page.getByText("First steps").waitFor({ state: "detached" });
    await screens.call("DELETE", `/api/projects/issues/${id}?confirm=true`);
  });

  it("[dashboard.sample-data] the page shows the project of the sample data when it exists, and how to remove it", async () => {
    const page = await screens.open("/inbox");
    await page.getByRole("heading", { name: "Fill with sample data" }).waitFor();
    const issues = [
      { ref: "a", externalRef: "sample-a", title: "Design the cart" },
      { ref: "b", externalRef: "sample-b", title: "Build the cart", blockedBy: ["a"] },
    ];
    const planned = await screens.call("POST", "/api/projects/demo/plan", { issues });
    assert.isBelow(planned.status, 300);
    await page.getByRole("heading", { name: "Sample data", exact: true }).waitFor();
    await page.getByText("has 2 sample issues").waitFor();
    const remove = `npx quartermaster demo --remove --url ${screens.server.url}`;
    await page.getByText(remove).waitFor();
    await assertAccessible(page);
    await shoot(page, "sample-data");
    await page.getByRole("link", { name: "demo", exact: true }).click();
    await page.waitForURL(/\/work\?/);
    await page.getByText("Design the cart").first().waitFor();
    await page.goto(page.url().replace(/work.*$/, "projects/demo"));
    await page.getByText(remove).waitFor();
  });
});
