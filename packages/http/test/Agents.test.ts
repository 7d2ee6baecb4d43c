import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as McpWorld from "./mcp/McpWorld.ts";
import { expectProblem } from "./support/World.ts";

let world: McpWorld.McpWorld;

beforeAll(async () => {
  world = await McpWorld.start({ core: { maxAgents: 1, maxSessions: 1 } });
});
afterAll(() => world.close());

describe("agents", () => {
  it("[agents.http] GET returns an agent, DELETE is a 204, and a 409 while the agent is in use", async () => {
    const issue = await world.issue({ assignedAgentId: "bot" });
    const url = "/api/agents/bot";
    const listed = await world.call("GET", "/api/agents");
    const agent = await world.call("GET", url);
    expect([agent.status, agent.body]).toEqual([200, listed.body[0]]);
    expectProblem(await world.admin("DELETE", url), 409, "in-use");
    const unassigned = { body: { assignedAgentId: null } };
    await world.call("PUT", `/api/projects/issues/${issue.id}`, unassigned);
    const deleted = await world.admin("DELETE", url);
    expect([deleted.status, deleted.text]).toEqual([204, ""]);
    for (const method of ["GET", "DELETE"]) {
      expectProblem(await world.admin(method, url), 404, "not-found", {
        resource: "agent",
        id: "bot",
      });
    }
  });

  it("[agents.limit.access] a grant to a new agent beyond the limit is a 422, and no agent is granted", async () => {
    const { id } = await world.notes();
    const entries = ["first", "second"].map((agentId) => ({ agentId, granted: true }));
    const put = (body: unknown) => world.admin("PUT", world.at(id, "/access"), { body });
    expectProblem(await put({ entries }), 422, "limit-exceeded", { limit: 1 });
    expect((await world.call("GET", "/api/agents")).body).toEqual([]);
    expect((await put({ entries: entries.slice(1) })).status).toBe(200);
    const beat = await world.call("POST", "/api/agents/first/heartbeat", { body: {} });
    expectProblem(beat, 422, "limit-exceeded", { limit: 1 });
  });

  it("[session.create.422] one session too many is a 422 with the limit", async () => {
    const login = (apiKey: string) =>
      world.as(undefined)("POST", "/api/session", { body: { apiKey } });
    expect((await login(world.keys.editor.key)).status).toBe(201);
    const refused = await login(world.keys.editor.key);
    expectProblem(refused, 422, "limit-exceeded", { limit: 1 });
    expect(refused.headers.get("set-cookie")).toBe(null);
    expect((await login(world.keys.admin.key)).status).toBe(201);
  });
});
