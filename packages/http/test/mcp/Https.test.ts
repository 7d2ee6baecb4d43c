import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as RawSocket from "../support/RawSocket.ts";
import { expectProblem } from "../support/World.ts";
import * as McpWorld from "./McpWorld.ts";

const forwarded: ReadonlyArray<Record<string, string>> = [
  { "x-forwarded-proto": "https" },
  { "x-forwarded-for": "203.0.113.7" },
  { "x-forwarded-host": "quartermaster.example" },
  { forwarded: "proto=https" },
];

describe("calls that carry secrets", () => {
  let world: McpWorld.McpWorld;
  let behindProxy: McpWorld.McpWorld;
  beforeAll(async () => {
    world = await McpWorld.start();
    behindProxy = await McpWorld.start({ http: { trustedProxies: ["127.0.0.0/8"] } });
  });
  afterAll(() => Promise.all([world.close(), behindProxy.close()]));

  const calls = [
    ["POST", "/api/mcp/installed", { catalogId: "none" }, 422],
    ["PUT", "/api/mcp/installed/mcp_none", {}, 404],
    ["POST", "/api/mcp/import", { mcpServers: {} }, 200],
  ] as const;

  it("[https.loopback] they are accepted from this machine without a header of a proxy", async () => {
    for (const [method, path, body, status] of calls) {
      expect((await world.admin(method, path, { body })).status).toBe(status);
      for (const headers of forwarded) {
        expectProblem(await world.admin(method, path, { body, headers }), 403, "https-required");
      }
    }
  });

  it("[https.proxy] they are accepted only from a trusted proxy that forwards HTTPS", async () => {
    for (const [method, path, body, status] of calls) {
      const call = (headers?: Record<string, string>) =>
        behindProxy.admin(method, path, { body, ...(headers === undefined ? {} : { headers }) });
      expect((await call({ "x-forwarded-proto": "https" })).status).toBe(status);
      for (const headers of [undefined, ...forwarded.slice(1), { "x-forwarded-proto": "http" }]) {
        expectProblem(await call(headers), 403, "https-required");
      }
    }
  });

  it("[https.order] the check comes after 401 and 403 of the role, and before the body", async () => {
    const headers = { "x-forwarded-proto": "https" };
    const path = "/api/mcp/installed";
    expect((await world.as(undefined)("POST", path, { headers })).status).toBe(401);
    const editor = await world.as(world.keys.editor.key)("POST", path, { headers });
    expectProblem(editor, 403, "forbidden", { requiredRole: "Admin" });
    expectProblem(
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
    expect(answer.status).toBe(403);
    expect(answer.body).toContain("https-required");
  });

  it("[https.others] other routes accept plain HTTP", async () => {
    const headers = { "x-forwarded-for": "203.0.113.7" };
    expect((await world.admin("GET", "/api/mcp/installed", { headers })).status).toBe(200);
    const { id } = await world.notes("plain");
    for (const [method, path] of [
      ["POST", "/verify"],
      ["POST", "/enable"],
      ["DELETE", ""],
    ] as const) {
      expect((await world.admin(method, world.at(id, path), { headers })).status).toBeLessThan(300);
    }
  });

  it("[mcp.bearer] every route of /api/mcp responds to a session's cookie with 401", async () => {
    const begun = await world.as(undefined)("POST", "/api/session", {
      body: { apiKey: world.keys.admin.key },
    });
    const cookie = begun.headers.get("set-cookie")?.split(";")[0] ?? "";
    const headers = { cookie, "sec-fetch-site": "same-origin" };
    for (const path of ["/api/mcp/catalog", "/api/mcp/installed", "/api/mcp/calls"]) {
      const answer = await world.as(undefined)("GET", path, { headers });
      expectProblem(answer, 401, "unauthenticated");
    }
    const token = await world.as(undefined)("POST", "/api/session/token", { headers });
    expect((await world.as(token.body.token)("GET", "/api/mcp/catalog")).status).toBe(200);
  });
});
