import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { assertFields } from "./support/Assert.ts";
import * as World from "./support/World.ts";

let world: World.World;
let serverId = "";
beforeAll(async () => {
  world = await World.start();
  serverId = await world.usableTool();
});
afterAll(() => world.close());

describe("null in a request", () => {
  it("[body.null] means the same as an absent property, in calls of tools and settings of servers", async () => {
    const call = { body: { name: "test-tool__add", runId: null } };
    const called = await world.as(world.agent.key)("POST", "/api/agents/bot/tools/call", call);
    assert.strictEqual(called.status, 200, called.text);
    const once = [{ tools: ["add"], by: null }];
    const updated = await world.admin("PUT", world.at(serverId), { body: { once } });
    assert.strictEqual(updated.status, 200, updated.text);
    assert.deepStrictEqual(updated.body.once, [{ tools: ["add"] }]);
    const access = world.at(serverId, "/access");
    const grant = async (readOnly: boolean | null) => {
      const entries = [{ agentId: "bot", granted: true, readOnly }];
      const { body } = await world.admin("PUT", access, { body: { entries } });
      return body.find(({ agentId }: { readonly agentId: string }) => agentId === "bot").readOnly;
    };
    assert.deepStrictEqual([await grant(true), await grant(null)], [true, true]);
  });

  it("[body.null] means the same as an absent property, in views, webhooks and changes of many issues", async () => {
    const view = await world.call("POST", "/api/views", { body: { name: "Bugs", query: "q=x" } });
    const viewed = await world.call("PUT", `/api/views/${view.body.id}`, {
      body: { name: null, query: null },
    });
    assertFields(viewed.body, { name: "Bugs", query: "q=x" });
    const { id } = await world.issue();
    const bulk = await world.call("POST", "/api/projects/issues/bulk", {
      body: {
        items: [{ issueId: id, version: null }],
        change: { priority: "high", action: null, review: null },
        force: null,
        confirm: null,
      },
    });
    assert.strictEqual(bulk.status, 200, bulk.text);
    const issue = await world.call("GET", `/api/projects/issues/${id}`);
    assertFields(issue.body, { priority: "high" });
    const given = { name: "Hook", kinds: ["issue.*"], url: "https://hooks.example.com/x" };
    const hook = await world.admin("POST", "/api/webhooks", {
      body: { ...given, format: null, secret: null },
    });
    assertFields(hook.body, { format: "standard", secret: /^whsec_/ });
    const nothing = { url: null, name: null, kinds: null, format: null, status: null };
    const same = await world.admin("PUT", `/api/webhooks/${hook.body.id}`, { body: nothing });
    assertFields(same.body, { name: "Hook", kinds: ["issue.*"], status: "enabled" });
  });
});
