import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { assertInvalid, assertProblem } from "./support/Assert.ts";
import * as World from "./support/World.ts";

let world: World.World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.close());

describe("projects", () => {
  it("[projects.http] PUT pauses a project, and refuses an agent's key before it reads the body", async () => {
    const put = (body: unknown) => world.call("PUT", "/api/projects/p1", { body });
    for (const [body, paused] of [
      [{ paused: true }, true],
      [{}, true],
      [{ paused: null }, true],
      [{ paused: false }, false],
    ] as const) {
      const answer = await put(body);
      assert.deepStrictEqual([answer.status, answer.body], [200, { id: "p1", paused }]);
    }
    assertInvalid(await put({ paused: 1 }), "paused");
    assertInvalid(await put({ name: "Shop" }), "name");
    const agent = await world.key({ role: "Editor", agentId: "bot" });
    assertProblem(
      await world.as(agent.key)("PUT", "/api/projects/p1", { body: { paused: 1 } }),
      403,
      "forbidden",
      { requiredRole: null },
    );
    const bound = await world.key({ role: "Editor", projects: ["p2"] });
    assertProblem(
      await world.as(bound.key)("PUT", "/api/projects/p1", { body: { paused: true } }),
      404,
      "not-found",
      { resource: "project", id: "p1" },
    );
    const get = await world.call("GET", "/api/projects/p1");
    assertProblem(get, 405, "method-not-allowed");
    assert.include(get.headers.get("allow"), "PUT");
  });
});
