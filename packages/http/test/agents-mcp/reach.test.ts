import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import * as Agent from "../support/Agent.ts";
import { assertProblem } from "../support/Assert.ts";
import * as World from "../support/World.ts";

const { accept, initialize, stateless, withHost } = Agent;

/** The host names and origins that reach the agents' endpoint. */

const allowed = "https://agents.example.com";
let world: World.World;
beforeAll(async () => {
  world = await World.start({
    http: {
      publicUrl: "https://qm.example.com",
      allowedHosts: ["quartermaster", "Tools.corp.example:8080", "[2001:db8::7]"],
      allowedOrigins: [allowed, "http://localhost:6274"],
      maxJsonBytes: 4_096,
    },
  });
});
afterAll(() => world.close());

const list = stateless("tools/list");
const from = (origin: string, key: string | undefined = world.agent.key) =>
  world.post(list.body, { ...list.headers, origin }, key);

const preflight = (origin: string, path = "/mcp") =>
  world.as(undefined)("OPTIONS", path, {
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,content-type,mcp-param-region",
    },
  });

/** The names of a header that is a list, in lower case. */
const names = (headers: Headers, name: string) =>
  (headers.get(name) ?? "").toLowerCase().split(", ");

describe("reaching the agents' endpoint", () => {
  it("[agents.mcp.host] Host must be a served or an allowed name", async () => {
    const { host } = new URL(world.url);
    for (const name of [
      host,
      "localhost",
      "localhost:1",
      "[::1]:7420",
      "qm.example.com",
      "QM.example.com",
      "quartermaster",
      "Quartermaster:7420",
      "tools.corp.example:8080",
      "[2001:DB8::7]:7420",
    ]) {
      assert.deepStrictEqual([name, await withHost(world.url, world.agent.key, name)], [name, 200]);
    }
    for (const name of [
      "evil.example",
      "qm.example.com.evil.example",
      "localhost.evil.example",
      "127.0.0.1.evil.example",
      "203.0.113.7",
      "quartermaster.evil.example",
      "tools.corp.example",
      "tools.corp.example:8081",
      "[2001:db8::8]",
    ]) {
      assert.deepStrictEqual([name, await withHost(world.url, world.agent.key, name)], [name, 403]);
    }
  });

  it("[agents.mcp.host] Origin must be a served or an allowed origin", async () => {
    for (const origin of ["https://qm.example.com", world.url, allowed]) {
      assert.deepStrictEqual([origin, (await from(origin)).status], [origin, 200]);
    }
    for (const origin of [
      "https://evil.example",
      "null",
      "http://localhost:1",
      `https://${new URL(world.url).host}`,
      "http://agents.example.com",
      "https://agents.example.com:8443",
      "https://quartermaster",
    ]) {
      const refused = await from(origin);
      assertProblem(refused, 403, "forbidden", { requiredRole: null });
      assert.include(refused.body.detail, "allowedOrigins");
      assert.isNull(refused.headers.get("access-control-allow-origin"), origin);
    }
  });

  it("[agents.mcp.cors] a preflight of an allowed origin needs no key and lists what a page may send", async () => {
    const { headers, status, text } = await preflight(allowed);
    assert.deepStrictEqual([status, text], [204, ""]);
    assert.strictEqual(headers.get("access-control-allow-origin"), allowed);
    assert.include(names(headers, "vary"), "origin");
    assert.isNull(headers.get("access-control-allow-credentials"));
    assert.includeMembers(names(headers, "access-control-allow-methods"), [
      "get",
      "post",
      "delete",
    ]);
    assert.deepStrictEqual(names(headers, "access-control-allow-headers").toSorted(), [
      "authorization",
      "content-type",
      "last-event-id",
      "mcp-method",
      "mcp-name",
      "mcp-param-region",
      "mcp-protocol-version",
      "mcp-session-id",
      "quartermaster-run",
      "quartermaster-worker",
      "x-request-id",
    ]);
    assert.match(headers.get("access-control-max-age") ?? "", /^[1-9]\d+$/);
    const search = await preflight("http://localhost:6274", "/mcp?tools=search");
    assert.strictEqual(search.status, 204);
  });

  it("[agents.mcp.cors] other preflights are refused", async () => {
    for (const [origin, path] of [
      ["https://evil.example", "/mcp"],
      ["null", "/mcp"],
      ["https://qm.example.com", "/mcp"],
      [allowed, "/api/keys"],
      [allowed, "/mcpx"],
    ] as const) {
      const { headers, status } = await preflight(origin, path);
      assert.oneOf(status, [404, 405], `${origin} ${path}`);
      assert.isNull(headers.get("access-control-allow-origin"));
    }
    const plain = await world.as(undefined)("OPTIONS", "/mcp", { headers: { origin: allowed } });
    assert.strictEqual(plain.status, 405);
  });

  it("[agents.mcp.cors] a page can read every response, including errors and streams", async () => {
    const json = { "content-type": "application/json" };
    const send = (raw: string, key = world.agent.key) =>
      world.as(key)("POST", "/mcp", { raw, headers: { accept, ...json, origin: allowed } });
    const begun = await world.post(initialize, { origin: allowed });
    const session = {
      origin: allowed,
      "mcp-session-id": begun.headers.get("mcp-session-id") ?? "",
    };
    const call = world.as(world.agent.key);
    const stream = new AbortController();
    const opened = await fetch(new URL("/mcp", world.url), {
      headers: {
        ...session,
        accept: "text/event-stream",
        authorization: `Bearer ${world.agent.key}`,
      },
      signal: stream.signal,
    });
    const answers = [
      [200, begun],
      [200, opened],
      [401, await from(allowed, "qm_wrong_key")],
      [403, await from(allowed, world.keys.owner.key)],
      [405, await call("PUT", "/mcp", { body: {}, headers: { origin: allowed } })],
      [413, await send("x".repeat(2_097_153))],
      [400, await send("{")],
      [400, await send('{"jsonrpc":"2.0","id":1,"method":"tools/list"}')],
      [404, await call("DELETE", "/mcp", { headers: { ...session, "mcp-session-id": "x" } })],
      [200, await call("DELETE", "/mcp", { headers: session })],
    ] as const;
    stream.abort();
    for (const [status, answer] of answers) {
      assert.strictEqual(answer.status, status);
      const { headers } = answer;
      assert.strictEqual(headers.get("access-control-allow-origin"), allowed, String(status));
      assert.includeMembers(names(headers, "access-control-expose-headers"), [
        "mcp-session-id",
        "www-authenticate",
      ]);
      assert.include(names(headers, "vary"), "origin");
    }
    const without = await world.post(list.body, list.headers);
    assert.isNull(without.headers.get("access-control-allow-origin"));
    assert.include(names(without.headers, "vary"), "origin");
    const api = await world.call("GET", "/api/session", { headers: { origin: allowed } });
    assert.isNull(api.headers.get("access-control-allow-origin"));
  });
});
