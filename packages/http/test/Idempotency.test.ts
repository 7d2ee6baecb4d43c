import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { assertInvalid, assertProblem } from "./support/Assert.ts";
import * as World from "./support/World.ts";

let world: World.World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.close());

const create = (
  key: string,
  body: unknown = { title: "Once" },
  project = "p1",
  apiKey = world.keys.editor.key,
) =>
  world.as(apiKey)("POST", `/api/projects/${project}/issues`, {
    body,
    headers: { "idempotency-key": key },
  });

const count = async (project: string) =>
  (await world.call("GET", `/api/projects/${project}/issues`)).body.length as number;

describe("Idempotency-Key", () => {
  it("[idempotency.replay] a repeated request returns the first response, and creates nothing", async () => {
    const first = await create("k1", undefined, "once");
    const again = await create("k1", undefined, "once");
    assert.deepStrictEqual(
      [again.status, again.text, again.headers.get("location")],
      [201, first.text, first.headers.get("location")],
    );
    assert.strictEqual(await count("once"), 1);
  });

  it("[idempotency.concurrent] one of many concurrent requests creates the issue, and all return it", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => create("k2", undefined, "many")),
    );
    assert.strictEqual(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1);
    assert.strictEqual(await count("many"), 1);
  });

  it("[idempotency.mismatch] another path or body is a 422", async () => {
    await create("k3");
    assertProblem(await create("k3", { title: "Other" }), 422, "idempotency-mismatch");
    assertProblem(await create("k3", undefined, "p2"), 422, "idempotency-mismatch");
  });

  it("[idempotency.per-key] each API key has its own idempotency keys", async () => {
    const mine = await create("k4");
    const theirs = await create("k4", undefined, "p1", world.keys.admin.key);
    assert.notStrictEqual(theirs.body.id, mine.body.id);
  });

  it("[idempotency.failed] a refusal is not stored", async () => {
    assert.strictEqual((await create("k5", { title: "" })).status, 400);
    assert.strictEqual(
      (await create("k5", { title: "x", blockedByIssueId: "iss_none" })).status,
      422,
    );
    assert.strictEqual((await create("k5")).status, 201);
  });

  it("[idempotency.access] the role is checked first", async () => {
    await create("k6");
    assert.strictEqual((await create("k6", undefined, "p1", world.keys.viewer.key)).status, 403);
  });

  it("[idempotency.key] an idempotency key has 1 to 128 characters", async () => {
    assert.strictEqual((await create("k".repeat(128))).status, 201);
    for (const bad of ["", "k".repeat(129)]) {
      assertInvalid(await create(bad), "idempotency-key");
    }
  });

  it("[idempotency.refused] routes of keys and sessions refuse every key with 400, and create nothing", async () => {
    const headers = { "idempotency-key": "k7" };
    const owner = world.as(world.keys.owner.key);
    const keys = (await owner("GET", "/api/keys")).body.length;
    const made = await owner("POST", "/api/keys", { body: { name: "x", role: "Viewer" }, headers });
    assertInvalid(made, "idempotency-key");
    assert.strictEqual((await owner("GET", "/api/keys")).body.length, keys);
    const session = await owner("POST", "/api/session", {
      body: { apiKey: world.keys.owner.key },
      headers,
    });
    assert.deepStrictEqual([session.status, session.headers.get("set-cookie")], [400, null]);
  });

  it("[idempotency.comments] [idempotency.links] a repeated comment or link is created once", async () => {
    const [a, b] = [await world.issue(), await world.issue()];
    for (const [rest, body] of [
      ["comments", { content: "Once", authorType: "User" }],
      ["links", { targetIssueId: b.id, linkType: "Blocks" }],
    ] as const) {
      const path = `/api/projects/issues/${a.id}/${rest}`;
      const send = () =>
        world.call("POST", path, { body, headers: { "idempotency-key": `k-${rest}` } });
      const [first, again] = [await send(), await send()];
      assert.deepStrictEqual([again.status, again.text], [201, first.text]);
      assert.strictEqual((await world.call("GET", path)).body.length, 1);
    }
  });

  it("[idempotency.attachments] uploads are compared by name, type and content, not by boundary", async () => {
    const { id } = await world.issue();
    const path = `/api/projects/issues/${id}/attachments`;
    const send = (content: string, name = "a.txt") => {
      const form = new FormData();
      form.append("file", new File([content], name, { type: "text/plain" }));
      return world.call("POST", path, { raw: form, headers: { "idempotency-key": "k-file" } });
    };
    const [first, again] = [await send("one"), await send("one")];
    assert.deepStrictEqual([again.status, again.text], [201, first.text]);
    assertProblem(await send("two"), 422, "idempotency-mismatch");
    assertProblem(await send("one", "b.txt"), 422, "idempotency-mismatch");
    assert.strictEqual((await world.call("GET", path)).body.length, 1);
  });
});
