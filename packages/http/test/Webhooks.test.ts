import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { assertProblem } from "./support/Assert.ts";
import * as World from "./support/World.ts";

/** Webhooks over HTTP: statuses, headers and refusals. Core's tests have their behavior. */

let world: World.World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.close());

const body = { url: "https://hooks.example.com/services/s3cr3t", name: "Chat", kinds: ["issue.*"] };

const admin = () => world.as(world.keys.admin.key);

describe("webhooks over HTTP", () => {
  it("[webhooks.create] a creation is 201 with its location and the secret, which no other response has", async () => {
    const created = await admin()("POST", "/api/webhooks", { body });
    assert.strictEqual(created.status, 201);
    const { id, secret } = created.body;
    assert.strictEqual(created.headers.get("location"), `/api/webhooks/${id}`);
    assert.match(secret, /^whsec_/);
    for (const path of ["", `/${id}`, `/${id}/deliveries`]) {
      const answer = await admin()("GET", `/api/webhooks${path}`);
      assert.strictEqual(answer.status, 200);
      assert.notInclude(answer.text, secret);
      assert.notInclude(answer.text, "s3cr3t");
    }
    const changed = await admin()("PUT", `/api/webhooks/${id}`, { body: { status: "disabled" } });
    assert.deepInclude(changed.body, { status: "disabled", statusReason: null });
    const replay = await admin()("POST", `/api/webhooks/${id}/replay`, {
      body: { after: "evt_a" },
    });
    assert.strictEqual(replay.status, 400);
    assert.include(replay.text, "enable it first");
    assert.strictEqual((await admin()("DELETE", `/api/webhooks/${id}`)).status, 204);
    assert.strictEqual((await admin()("GET", `/api/webhooks/${id}`)).status, 404);
  });

  it("[webhooks.idempotent] a repeated creation returns the webhook without its secret", async () => {
    const headers = { "idempotency-key": "a" };
    const first = await admin()("POST", "/api/webhooks", { body, headers });
    const second = await admin()("POST", "/api/webhooks", { body, headers });
    assert.strictEqual(second.status, 201);
    assert.deepStrictEqual(second.body, { ...first.body, secret: null });
    const other = { ...body, name: "Other" };
    const mismatch = await admin()("POST", "/api/webhooks", { body: other, headers });
    assertProblem(mismatch, 422, "idempotency-mismatch");
    const path = `/api/webhooks/${first.body.id}`;
    for (const action of ["rotate", "test", "replay"]) {
      const answer = await admin()("POST", `${path}/${action}`, { body: {}, headers });
      assert.strictEqual(answer.status, 400);
      assert.include(answer.text, "idempotency-key");
    }
  });

  it("[webhooks.https] secrets and URLs require a confidential connection", async () => {
    const { id } = (await admin()("POST", "/api/webhooks", { body })).body;
    const headers = { "x-forwarded-for": "203.0.113.7" };
    for (const [method, path] of [
      ["POST", ""],
      ["PUT", `/${id}`],
      ["POST", `/${id}/rotate`],
    ] as const) {
      const answer = await admin()(method, `/api/webhooks${path}`, { body, headers });
      assertProblem(answer, 403, "https-required");
    }
    const rotated = await admin()("POST", `/api/webhooks/${id}/rotate`);
    assert.match(rotated.body.secret, /^whsec_/);
    assertProblem(await admin()("POST", `/api/webhooks/${id}/rotate`), 409, "rotation-open");
  });

  it("[webhooks.access] a key that is bound to projects sees nothing of it", async () => {
    const { key } = await world.key({ role: "Admin", projects: ["p1"] });
    const { id } = (await admin()("POST", "/api/webhooks", { body })).body;
    for (const [method, path] of [
      ["GET", ""],
      ["POST", ""],
      ["GET", `/${id}`],
      ["PUT", `/${id}`],
      ["DELETE", `/${id}`],
      ["GET", `/${id}/deliveries`],
      ["POST", `/${id}/test`],
      ["POST", `/${id}/rotate`],
      ["POST", `/${id}/replay`],
      ["POST", `/${id}/deliveries/dlv_none/retry`],
    ] as const) {
      const answer = await world.as(key)(method, `/api/webhooks${path}`);
      assertProblem(answer, 403, "forbidden", { requiredRole: null });
    }
  });
});
