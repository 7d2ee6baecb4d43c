import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import * as World from "./support/World.ts";

let world: World.World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.close());

const issues = "/api/projects/issues";

describe("keys of issues", () => {
  it("[keys.http] every route that takes the id of an issue takes its key in any letter case", async () => {
    const issue = await world.issue({}, "keys");
    const other = await world.issue({}, "keys");
    assert.strictEqual(issue["key"], "KEYS-1");
    for (const key of ["KEYS-1", "keys-1", "Keys-1"]) {
      const read = await world.call("GET", `${issues}/${key}`);
      assert.deepStrictEqual([read.status, read.body.id], [200, issue.id]);
    }
    for (const path of [
      "readiness",
      "graph",
      "activity",
      "comments",
      "attachments",
      "links",
      "questions",
      "effects",
      "usage",
    ]) {
      const [byKey, byId] = await Promise.all(
        ["keys-1", issue.id].map((id) => world.call("GET", `${issues}/${id}/${path}`)),
      );
      assert.deepStrictEqual([byKey?.status, byKey?.text], [200, byId?.text], path);
    }
    const writes = [
      ["POST", "keys-1/comments", { content: "Two slates are loose." }, 201],
      ["POST", "keys-1/questions", { prompt: "Which slates?", blocking: false }, 201],
      ["POST", "keys-1/links", { targetIssueId: "keys-2", linkType: "Blocks" }, 201],
      ["PUT", "keys-1", { status: "InProgress" }, 200],
      ["POST", "keys-1/pause", undefined, 204],
      ["POST", "keys-1/resume", undefined, 204],
      ["POST", "keys-1/effects/reset", undefined, 204],
      ["POST", "keys-1/close?force=true", undefined, 204],
    ] as const;
    for (const [method, path, body, status] of writes) {
      const answer = await world.call(method, `${issues}/${path}`, { body });
      assert.strictEqual(answer.status, status, path);
      if (answer.body?.issueId !== undefined) assert.strictEqual(answer.body.issueId, issue.id);
    }
    assert.strictEqual(
      (await world.attach("KEYS-1", new File(["x"], "x.txt"))).body.issueId,
      issue.id,
    );
    const blocked = await world.call("POST", "/api/projects/keys/issues", {
      body: { title: "Paint", blockedByIssueId: "KEYS-2" },
    });
    assert.strictEqual(blocked.body.links[0].targetIssueId, other.id);
    const planned = await world.call("POST", "/api/projects/keys/plan", {
      body: { issues: [{ ref: "a", title: "A", blockedBy: ["keys-2"] }] },
    });
    assert.strictEqual(planned.body[0].issue.links[0].targetIssueId, other.id);
    assert.strictEqual((await world.call("DELETE", `${issues}/keys-1?confirm=true`)).status, 204);
    assert.strictEqual((await world.call("GET", `${issues}/KEYS-1`)).status, 404);
  });

  it("[keys.http] the query parameter issueId takes a key", async () => {
    const { issueId } = await world.running("keys-bot");
    const issue = (await world.call("GET", `${issues}/${issueId}`)).body;
    const admin = world.as(world.keys.admin.key);
    for (const path of ["/api/runs", "/api/mcp/calls"]) {
      const [byKey, byId, unknown] = await Promise.all(
        [issue.key, issue.id, "P1-99"].map((id) => admin("GET", `${path}?issueId=${id}`)),
      );
      assert.deepStrictEqual([byKey?.status, byKey?.text], [200, byId?.text], path);
      assert.deepStrictEqual(unknown?.body, [], path);
    }
    const [run] = (await admin("GET", `/api/runs?issueId=${issue.key}`)).body;
    assert.deepStrictEqual([run.issueId, run.issueKey], [issue.id, issue.key]);
  });

  it("[keys.hidden] a key of an issue in a hidden project is 404 with the same body as an unknown one", async () => {
    await world.issue({}, "hidden");
    const { key } = await world.key({ role: "Editor", projects: ["p1"] });
    for (const path of ["", "/comments", "/effects", "/usage"]) {
      const [hidden, unknown] = await Promise.all(
        ["HIDDEN-1", "HIDDEN-9"].map((id) => world.as(key)("GET", `${issues}/${id}${path}`)),
      );
      assert.strictEqual(hidden?.status, 404);
      assert.deepStrictEqual(
        { ...hidden?.body, requestId: "" },
        JSON.parse(JSON.stringify({ ...unknown?.body, requestId: "" }).replaceAll("-9", "-1")),
      );
    }
  });

  it("[projects.http] projects are created, read and changed", async () => {
    const admin = world.as(world.keys.admin.key);
    const headers = { "idempotency-key": "create-web" };
    const body = { id: "web", name: "The web" };
    const created = await admin("POST", "/api/projects", { body, headers });
    assert.deepStrictEqual(
      [created.status, created.headers.get("location")],
      [201, "/api/projects/web"],
    );
    assert.deepStrictEqual(
      (await admin("POST", "/api/projects", { body, headers })).body,
      created.body,
    );
    assert.deepInclude(await admin("GET", "/api/projects/web").then((read) => read.body), {
      id: "web",
      prefix: "WEB",
      name: "The web",
    });
    const exists = await admin("POST", "/api/projects", { body });
    assert.deepInclude(exists.body, { status: 409, type: "urn:quartermaster:problem:exists" });
    const refused = async (change: object) =>
      (await admin("PUT", "/api/projects/web", { body: change })).status;
    await world.issue({}, "keys");
    assert.deepStrictEqual(
      await Promise.all(["KEYS", "lower", "SITE"].map((prefix) => refused({ prefix }))),
      [409, 400, 200],
    );
    const agent = await world.key({ role: "Editor", agentId: "bot" });
    const byAgent = await world.as(agent.key)("POST", "/api/projects", { body: { id: "bots" } });
    assert.deepInclude(byAgent.body, { status: 403, requiredRole: null });
  });
});
