import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { assertInvalid, assertProblem } from "./support/Assert.ts";
import * as World from "./support/World.ts";

let world: World.World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.close());

const about = { name: null, description: null };

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
      const expected = { ...about, id: "p1", prefix: "P1", paused, agentsMay: "resolve" };
      assert.deepStrictEqual([answer.status, answer.body], [200, expected]);
    }
    assertInvalid(await put({ paused: 1 }), "paused");
    assertInvalid(await put({ title: "Shop" }), "title");
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
    const post = await world.call("POST", "/api/projects/p1");
    assertProblem(post, 405, "method-not-allowed");
    assert.include(post.headers.get("allow"), "PUT");
  });

  it("[projects.delete.http] DELETE deletes a project without issues", async () => {
    const { id } = await world.issue({ title: "Say hello" }, "short");
    const remove = () => world.admin("DELETE", "/api/projects/short");
    const inUse = await remove();
    assertProblem(inUse, 409, "in-use");
    assert.include(inUse.body.detail, "The project has 1 issue.");
    await world.call("DELETE", `/api/projects/issues/${id}?confirm=true`);
    assert.strictEqual((await remove()).status, 204);
    assertProblem(await remove(), 404, "not-found", { resource: "project", id: "short" });
  });

  it("[projects.list.http] GET lists projects by id in pages, and a bound key's projects only", async () => {
    const other = await World.start();
    try {
      for (const project of ["b", "a", "c"]) await other.issue({}, project);
      await other.call("PUT", "/api/projects/d", { body: { paused: true } });
      const list = (query = "") => other.call("GET", `/api/projects${query}`);
      const all = await list();
      assert.deepStrictEqual(
        all.body.map(({ id }: { id: string }) => id),
        ["a", "b", "c", "d"],
      );
      const { lastActivityAt, ...first } = all.body[0];
      assert.deepStrictEqual(first, {
        ...about,
        id: "a",
        prefix: "PA",
        counts: {
          Open: 1,
          InProgress: 0,
          WaitingOnDependency: 0,
          PendingReview: 0,
          Resolved: 0,
          Closed: 0,
        },
        paused: false,
        agentsMay: "resolve",
      });
      assert.match(lastActivityAt, /^\d{4}-.*Z$/);
      const page = await list("?limit=3");
      const next = /^<(.*)>; rel="next"$/.exec(page.headers.get("link") ?? "")?.[1] ?? "";
      const rest = await other.call("GET", next);
      assert.deepStrictEqual([...page.body, ...rest.body], all.body);
      assert.isNull(rest.headers.get("link"));
      assert.deepStrictEqual((await list("?order=desc")).body, all.body.toReversed());
      assertInvalid(await list("?limit=0"), "limit");
      assertProblem(await list("?limit=ten"), 400, "invalid-request", {
        errors: [{ path: "limit", message: "Expected a number." }],
      });
      const bound = await other.key({ role: "Viewer", projects: ["c", "none"] });
      const seen = await other.as(bound.key)("GET", "/api/projects");
      assert.deepStrictEqual(seen.body, [all.body[2]]);
    } finally {
      await other.close();
    }
  });

  it("[graph.http] GET returns the graph of an issue and of a project", async () => {
    const { id } = await world.issue({ title: "first" }, "graphed");
    const blocked = await world.issue({ title: "second", blockedByIssueId: id }, "graphed");
    const alone = await world.issue({ title: "alone" }, "graphed");
    const get = async (path: string) => {
      const answer = await world.call("GET", `/api/projects/${path}`);
      assert.strictEqual(answer.status, 200);
      const { nodes, ...rest } = answer.body;
      return [nodes.map((node: { readonly id: string }) => node.id), rest];
    };
    const rest = { edges: [{ from: id, to: blocked.id }], truncated: false };
    assert.deepStrictEqual(await get(`issues/${id}/graph`), [[id, blocked.id], rest]);
    const all = [alone.id, blocked.id, id];
    assert.deepStrictEqual(await get("graphed/graph?depth=50"), [all, rest]);
    const brief = await world.call("GET", "/api/projects/issues?projectId=graphed&view=brief");
    const { nodes } = (await world.call("GET", "/api/projects/graphed/graph")).body;
    assert.deepStrictEqual(nodes, brief.body);
    for (const path of [`issues/${id}`, "graphed"]) {
      assertInvalid(await world.call("GET", `/api/projects/${path}/graph?depth=51`), "depth");
    }
    const none = await world.call("GET", "/api/projects/issues/iss_none/graph");
    assertProblem(none, 404, "not-found", { resource: "issue", id: "iss_none" });
  });
});
