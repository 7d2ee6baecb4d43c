import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as World from "./support/World.ts";
import { expectProblem } from "./support/World.ts";

let world: World.World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.close());

describe("agents", () => {
  it("[agents.http] GET returns an agent, DELETE is a 204, and a 409 while the agent is in use", async () => {
    const admin = world.as(world.keys.admin.key);
    const issue = await world.issue({ assignedAgentId: "bot" });
    const url = "/api/agents/bot";
    const listed = await world.call("GET", "/api/agents");
    const agent = await world.call("GET", url);
    expect([agent.status, agent.body]).toEqual([200, listed.body[0]]);
    expectProblem(await admin("DELETE", url), 409, "in-use");
    const unassigned = { body: { assignedAgentId: null } };
    await world.call("PUT", `/api/projects/issues/${issue.id}`, unassigned);
    const deleted = await admin("DELETE", url);
    expect([deleted.status, deleted.text]).toEqual([204, ""]);
    for (const method of ["GET", "DELETE"]) {
      expectProblem(await admin(method, url), 404, "not-found", { resource: "agent", id: "bot" });
    }
  });
});
