import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { assertFields, assertInvalid, assertProblem } from "./support/Assert.ts";
import * as World from "./support/World.ts";

let world: World.World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.close());

describe("saved views", () => {
  it("[views.http] /api/views saves, lists, changes and deletes views", async () => {
    const viewer = world.as(world.keys.viewer.key);
    const headers = { "idempotency-key": "open bugs" };
    const body = { name: "Open bugs", query: "status=Open&label=bug" };
    const made = await viewer("POST", "/api/views", { body, headers });
    assert.strictEqual(made.status, 201, made.text);
    assertFields(made.body, { id: /^view_/, ...body, projectId: null, createdBy: Object });
    assert.strictEqual(made.headers.get("location"), `/api/views/${made.body.id}`);
    const again = await viewer("POST", "/api/views", { body, headers });
    assert.deepStrictEqual(again.body, made.body);
    const path = `/api/views/${made.body.id}`;
    assertProblem(await world.call("PUT", path, { body: { name: "x" } }), 404, "not-found", {
      resource: "view",
      id: made.body.id,
    });
    assert.strictEqual((await viewer("PUT", path, { body: { projectId: "p1" } })).status, 403);
    const changed = await viewer("PUT", path, { body: { query: "" } });
    assertFields(changed.body, { name: "Open bugs", query: "" });

    const shared = await world.call("POST", "/api/views", { body: { ...body, projectId: "p1" } });
    assert.strictEqual(shared.status, 201, shared.text);
    const listed = await viewer("GET", "/api/views?limit=1");
    assert.deepStrictEqual(listed.body, [changed.body]);
    const next = /<([^>]+)>/.exec(listed.headers.get("link") ?? "")?.[1] ?? "";
    assert.deepStrictEqual((await viewer("GET", next)).body, [shared.body]);

    const bound = world.as((await world.key({ role: "Editor", projects: ["p2"] })).key);
    assertProblem(
      await bound("POST", "/api/views", { body: { ...body, projectId: "p1" } }),
      422,
      "unknown-reference",
      { field: "projectId", id: "p1" },
    );
    assertInvalid(await viewer("POST", "/api/views", { body: { name: "x" } }), "query");
    assert.strictEqual((await viewer("DELETE", path)).status, 204);
    assert.strictEqual((await viewer("DELETE", path)).status, 404);
  });
});
