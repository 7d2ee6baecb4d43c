import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { assertFields, assertInvalid, assertProblem } from "./support/Assert.ts";
import * as World from "./support/World.ts";

let world: World.World;

beforeAll(async () => {
  world = await World.start({ core: { maxAgents: 1, maxSessions: 1 } });
});
afterAll(() => world.close());

describe("agents", () => {
  it("[agents.http] GET returns an agent, DELETE is a 204, and a 409 while the agent is in use", async () => {
    const issue = await world.issue({ assignedAgentId: "bot" });
    const url = "/api/agents/bot";
    const listed = await world.call("GET", "/api/agents");
    const agent = await world.call("GET", url);
    assert.deepStrictEqual([agent.status, agent.body], [200, listed.body[0]]);
    assertProblem(await world.admin("DELETE", url), 409, "in-use");
    const unassigned = { body: { assignedAgentId: null } };
    await world.call("PUT", `/api/projects/issues/${issue.id}`, unassigned);
    const deleted = await world.admin("DELETE", url);
    assert.deepStrictEqual([deleted.status, deleted.text], [204, ""]);
    for (const method of ["GET", "DELETE"]) {
      assertProblem(await world.admin(method, url), 404, "not-found", {
        resource: "agent",
        id: "bot",
      });
    }
  });

  it("[agents.paused.http] PUT pauses an agent and sets its tool mode, which GET shows", async () => {
    const put = (body: unknown) => world.admin("PUT", "/api/agents/bot", { body });
    const made = await put({ paused: true, toolMode: "search" });
    assert.strictEqual(made.status, 200);
    assertFields(made.body, { id: "bot", paused: true, toolMode: "search", activeRuns: 0 });
    assertFields((await world.call("GET", "/api/agents/bot")).body, made.body);
    assertInvalid(await put({ paused: "yes" }), "paused");
    assertInvalid(await put({ toolMode: "brief" }), "toolMode");
    assertProblem(
      await world.call("PUT", "/api/agents/bot", { body: { paused: false } }),
      403,
      "forbidden",
      { requiredRole: "Admin" },
    );
    assertFields((await put({ paused: false })).body, { paused: false, toolMode: "search" });
    assert.strictEqual((await world.admin("DELETE", "/api/agents/bot")).status, 204);
  });

  it("[agents.limit.access] a grant to a new agent beyond the limit is a 422, and no agent is granted", async () => {
    const { id } = await world.notes();
    const entries = ["first", "second"].map((agentId) => ({ agentId, granted: true }));
    const put = (body: unknown) => world.admin("PUT", world.at(id, "/access"), { body });
    assertProblem(await put({ entries }), 422, "limit-exceeded", { limit: 1 });
    assert.deepStrictEqual((await world.call("GET", "/api/agents")).body, []);
    assert.strictEqual((await put({ entries: entries.slice(1) })).status, 200);
    const beat = await world.call("POST", "/api/agents/first/heartbeat", { body: {} });
    assertProblem(beat, 422, "limit-exceeded", { limit: 1 });
  });

  it("[session.create.422] one session too many is a 422 with the limit", async () => {
    const login = (apiKey: string) =>
      world.as(undefined)("POST", "/api/session", { body: { apiKey } });
    assert.strictEqual((await login(world.keys.editor.key)).status, 201);
    const refused = await login(world.keys.editor.key);
    assertProblem(refused, 422, "limit-exceeded", { limit: 1 });
    assert.isNull(refused.headers.get("set-cookie"));
    assert.strictEqual((await login(world.keys.admin.key)).status, 201);
  });
});
