import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { assertProblem } from "../support/Assert.ts";
import { signIn } from "../support/Client.ts";
import * as RawSocket from "../support/RawSocket.ts";
import * as World from "../support/World.ts";

const forwarded: ReadonlyArray<Record<string, string>> = [
  { "x-forwarded-proto": "https" },
  { "x-forwarded-for": "203.0.113.7" },
  { "x-forwarded-host": "quartermaster.example" },
  { forwarded: "proto=https" },
];

describe("calls that carry secrets", () => {
  let world: World.World;
  let behindProxy: World.World;
  beforeAll(async () => {
    world = await World.start();
    behindProxy = await World.start({ http: { trustedProxies: ["127.0.0.0/8"] } });
  });
  afterAll(() => Promise.all([world.close(), behindProxy.close()]));

  const calls = [
    ["POST", "/api/mcp/installed", { catalogId: "none" }, 422],
    ["PUT", "/api/mcp/installed/mcp_none", {}, 404],
    ["POST", "/api/mcp/import", { mcpServers: {} }, 200],
  ] as const;

  it("[https.loopback] they are accepted from this machine without a header of a proxy", async () => {
    for (const [method, path, body, status] of calls) {
      assert.strictEqual((await world.admin(method, path, { body })).status, status);
      for (const headers of forwarded) {
        assertProblem(await world.admin(method, path, { body, headers }), 403, "https-required");
      }
    }
  });

  it("[https.proxy] they are accepted only from a trusted proxy that forwards HTTPS", async () => {
    for (const [method, path, body, status] of calls) {
      const call = (headers?: Record<string, string>) =>
        behindProxy.admin(method, path, { body, ...(headers === undefined ? {} : { headers }) });
      assert.strictEqual((await call({ "x-forwarded-proto": "https" })).status, status);
      for (const headers of [undefined, ...forwarded.slice(1), { "x-forwarded-proto": "http" }]) {
        assertProblem(await call(headers), 403, "https-required");
      }
    }
  });

  it("[https.order] the check comes after 401 and 403 of the role, and before the body", async () => {
    const headers = { "x-forwarded-proto": "https" };
    const path = "/api/mcp/installed";
    assert.strictEqual((await world.as(undefined)("POST", path, { headers })).status, 401);
    const editor = await world.as(world.keys.editor.key)("POST", path, { headers });
    assertProblem(editor, 403, "forbidden", { requiredRole: "Admin" });
    assertProblem(
      await world.admin("POST", path, { raw: "x", headers: { ...headers, "content-type": "x/y" } }),
      403,
      "https-required",
    );
  });

  it("[https.claimed] an https URL in the request line does not make a connection confidential", async () => {
    const { port } = new URL(behindProxy.url);
    const body = JSON.stringify({ catalogId: "none" });
    const answer = await RawSocket.send(
      behindProxy,
      RawSocket.head("POST", `https://127.0.0.1:${port}/api/mcp/installed`, {
        Authorization: `Bearer ${behindProxy.keys.admin.key}`,
        "Content-Type": "application/json",
        "Content-Length": body.length,
      }) + body,
      { halfClose: false },
    );
    assert.strictEqual(answer.status, 403);
    assert.include(answer.body, "https-required");
  });

  it("[https.others] other routes accept plain HTTP", async () => {
    const headers = { "x-forwarded-for": "203.0.113.7" };
    assert.strictEqual((await world.admin("GET", "/api/mcp/installed", { headers })).status, 200);
    const { id } = await world.notes("plain");
    for (const [method, path] of [
      ["POST", "/verify"],
      ["POST", "/enable"],
      ["DELETE", ""],
    ] as const) {
      assert.isBelow((await world.admin(method, world.at(id, path), { headers })).status, 300);
    }
  });

  it("[mcp.bearer] every route of /api/mcp responds to a session's cookie with 401", async () => {
    const { headers } = await signIn(world, world.keys.admin.key);
    for (const path of ["/api/mcp/catalog", "/api/mcp/installed", "/api/mcp/calls"]) {
      const answer = await world.as(undefined)("GET", path, { headers });
      assertProblem(answer, 401, "unauthenticated");
    }
    const token = await world.as(undefined)("POST", "/api/session/token", { headers });
    assert.strictEqual((await world.as(token.body.token)("GET", "/api/mcp/catalog")).status, 200);
  });
});
