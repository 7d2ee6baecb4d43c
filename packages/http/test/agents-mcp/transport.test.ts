import { assert, describe, it, vi } from "@effect/vitest";
import { Effect } from "effect";
import * as Agent from "../support/Agent.ts";
import { assertFields, assertInvalid, assertProblem } from "../support/Assert.ts";
import { request } from "../support/Client.ts";
import * as World from "../support/World.ts";

const { accept, initialize, stateless } = Agent;

/** Starts a session by a plain request, and returns its id. */
const begin = async (world: World.World, key = world.agent.key) => {
  const answer = await world.post(initialize, {}, key);
  assert.strictEqual(answer.status, 200);
  return answer.headers.get("mcp-session-id") ?? "";
};

const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };

/** Delays the results of calls until the test calls the returned function. */
const holdCalls = (world: World.World) => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  world.server.onCall = () =>
    Effect.as(
      Effect.promise(() => gate),
      { content: [] },
    );
  return open;
};

describe("the agents' endpoint", () => {
  it("[agents.mcp.key] the endpoint accepts only an agent's key", async () => {
    const world = await World.forTest();
    const { body, headers } = stateless("tools/list");
    const as = (key: string | undefined) => world.as(key)("POST", "/mcp", { body, headers });
    const none = await as(undefined);
    assertProblem(none, 401, "unauthenticated");
    assertProblem(await as("qm_wrong_key"), 401, "unauthenticated");
    for (const { key } of Object.values(world.keys)) {
      assertProblem(await as(key), 403, "forbidden", { requiredRole: null });
    }
    assert.strictEqual((await as(world.agent.key)).status, 200);
    const viewer = await world.key({ role: "Viewer", agentId: "bot" });
    const bound = await world.key({ role: "Editor", agentId: "bot", projects: ["p1"] });
    assert.strictEqual((await as(viewer.key)).status, 200);
    assert.strictEqual((await as(bound.key)).status, 200);
  });

  it("[agents.mcp.viewer] a Viewer's key sees no tools of servers, which it may not call", async () => {
    const world = await World.forTest();
    await world.usableTool();
    const viewer = await world.key({ role: "Viewer", agentId: "bot" });
    const { client, names } = await world.connect("2025-11-25", viewer.key);
    assert.deepStrictEqual(await names(), Agent.serviceTools);
    assert.isTrue((await client.callTool({ name: "test-tool__add" })).isError);
    assert.lengthOf(world.server.calls, 0);
  });

  it("[agents.mcp.http] problems of HTTP come before the protocol, in the order of every route", async () => {
    const world = await World.forTest({ http: { maxJsonBytes: 4_096 } });
    const send = (raw: string, headers: Record<string, string>, key = world.agent.key) =>
      world.as(key)("POST", "/mcp", { raw, headers: { accept, ...headers } });
    const json = { "content-type": "application/json" };
    assertProblem(
      await send("x", { "content-type": "text/plain" }, world.keys.editor.key),
      403,
      "forbidden",
      {
        requiredRole: null,
      },
    );
    assertProblem(await send("x", { "content-type": "text/plain" }), 415, "unsupported-media-type");
    assertProblem(await send("x".repeat(2_097_153), json), 413, "payload-too-large", {
      limitBytes: 2_097_152,
    });
    assertInvalid(await send("{", json), "");
    const put = await world.as(world.agent.key)("PUT", "/mcp", { body: {} });
    assertProblem(put, 405, "method-not-allowed");
    assert.strictEqual(put.headers.get("allow"), "DELETE, GET, HEAD, POST");
    const answer = await world.post(list, { "x-request-id": "mine" });
    assert.deepStrictEqual([answer.status, answer.headers.get("x-request-id")], [400, "mine"]);
    assertFields(answer.body, { jsonrpc: "2.0", error: { code: -32_600 } });
  });

  it("[agents.mcp.rate] the rate limit of keys applies", async () => {
    const world = await World.forTest({ http: { rateLimit: 1 } });
    const { body, headers } = stateless("tools/list");
    const statuses: Array<number> = [];
    for (let n = 0; n < 4; n++) statuses.push((await world.post(body, headers)).status);
    assert.include(statuses, 429);
  });

  it("[agents.mcp.session] a session starts, takes requests, streams changes and ends", async () => {
    const world = await World.forTest();
    const id = await begin(world);
    const session = { "mcp-session-id": id };
    assert.match(id, /^[\x21-\x7e]{100,150}$/);
    assert.strictEqual((await world.post(list)).status, 400);
    assert.include((await world.post(list, session)).text, "issues_list");
    assert.strictEqual(
      (await world.post(list, { ...session, "mcp-protocol-version": "1999-01-01" })).status,
      400,
    );
    const open = () =>
      request(world, "GET", "/mcp", {
        key: world.agent.key,
        headers: { accept: "text/event-stream", ...session },
      });
    const stream = await open();
    assert.deepStrictEqual(
      [stream.status, stream.headers.get("content-type")],
      [200, "text/event-stream"],
    );
    assert.strictEqual((await open()).status, 409);
    assert.strictEqual(
      (await world.as(world.agent.key)("HEAD", "/mcp", { headers: session })).status,
      200,
    );
    assert.strictEqual(
      (await world.as(world.agent.key)("DELETE", "/mcp", { headers: session })).status,
      200,
    );
    await stream.text();
    const after = await world.post(list, session);
    assert.deepStrictEqual([after.status, after.body.error.code], [404, -32_001]);
    assert.strictEqual(
      (await world.as(world.agent.key)("DELETE", "/mcp", { headers: session })).status,
      404,
    );
  });

  it("[agents.mcp.session-key] a session is unknown to any other key, even of the same agent", async () => {
    const world = await World.forTest();
    const session = { "mcp-session-id": await begin(world) };
    for (const agentId of ["bot", "eve"]) {
      const { key } = await world.key({ role: "Editor", agentId });
      assert.strictEqual((await world.post(list, session, key)).status, 404);
      assert.strictEqual((await world.as(key)("DELETE", "/mcp", { headers: session })).status, 404);
      assert.strictEqual(
        (await world.as(key)("GET", "/mcp", { headers: { accept, ...session } })).status,
        404,
      );
    }
    assert.strictEqual((await world.post(list, session)).status, 200);
  });

  it("[agents.mcp.session-busy] a session with a request in flight is in use, and idle sessions are evicted before it", async () => {
    const world = await World.forTest({ endpoint: { maxSessionsPerKey: 2 } });
    await world.usableTool();
    const open = holdCalls(world);
    const busy = { "mcp-session-id": await begin(world) };
    const call = { ...list, method: "tools/call", params: { name: "test-tool__add" } };
    const answer = world.post(call, busy);
    await world.serverUntil(() => world.server.calls.length === 1);
    const idle = { "mcp-session-id": await begin(world) };
    await begin(world);
    assert.strictEqual((await world.post(list, idle)).status, 200);
    open();
    assert.include((await answer).text, '"content":[]');
    assert.strictEqual((await world.post(list, busy)).status, 200);
  });

  it("[agents.mcp.session-plain] a request without a progress token gets only the response, as JSON", async () => {
    const world = await World.forTest();
    await world.usableTool();
    world.server.onCall = ({ progress }) =>
      Effect.as(progress({ progress: 1 }), { content: [{ type: "text", text: "done" }] });
    const session = { "mcp-session-id": await begin(world) };
    const call = (params: object, id: unknown = 1) =>
      world.post(
        { ...list, id, method: "tools/call", params: { name: "test-tool__add", ...params } },
        session,
      );
    const typeOf = ({ headers }: { headers: Headers }) => headers.get("content-type");

    for (const id of [1, "one"]) {
      const plain = await call({ _meta: { "example.com/trace": "7" } }, id);
      assert.strictEqual(typeOf(plain), "application/json");
      assert.strictEqual(plain.headers.get("mcp-session-id"), session["mcp-session-id"]);
      assertFields(plain.body, { jsonrpc: "2.0", id, result: { content: [{}] } });
    }
    const unknown = await world.post({ ...list, method: "nonsense/method" }, session);
    assertFields(unknown.body, { id: 1, error: { code: -32_601 } });

    const told = await call({ _meta: { progressToken: 7 } });
    assert.strictEqual(typeOf(told), "text/event-stream");
    assert.match(told.text, /notifications\/progress[^]*"done"/);
    const batch = await world.post([list, { ...list, id: 2 }], session);
    assert.strictEqual(typeOf(batch), "text/event-stream");
    assert.match(batch.text, /"id":1[^]*"id":2/);

    for (const odd of [
      { ...list, id: 1.5 },
      { ...list, more: 1 },
      { ...list, params: [] },
    ]) {
      const { body, status } = await world.post(odd, session);
      assert.strictEqual(status, 400);
      assert.include([-32_600, -32_700], body.error.code);
    }
    for (const headers of [
      { ...session, accept: "application/json" },
      { ...session, accept: "text/event-stream" },
    ]) {
      assert.strictEqual((await world.post(list, headers)).status, 406);
    }
  });

  it("[agents.mcp.session-plain] two requests with the same id get one response each", async () => {
    const world = await World.forTest();
    await world.usableTool();
    const open = holdCalls(world);
    const session = { "mcp-session-id": await begin(world) };
    const call = { ...list, method: "tools/call", params: { name: "test-tool__add" } };
    const answers = [world.post(call, session), world.post(call, session)];
    await world.serverUntil(() => world.server.calls.length === 2);
    open();
    for (const answer of await Promise.all(answers)) {
      assert.include(answer.text, '"content":[]');
    }
  });

  it("[agents.mcp.session-cancelled] a request ends immediately when it is cancelled or its session ends", async () => {
    const world = await World.forTest();
    await world.usableTool();
    world.server.onCall = () => Effect.never;
    const session = { "mcp-session-id": await begin(world) };
    const call = { ...list, method: "tools/call", params: { name: "test-tool__add" } };
    const cancelled = world.post(call, session);
    await world.serverUntil(() => world.server.calls.length === 1);
    const other = { method: "notifications/cancelled", params: { requestId: "1" } };
    assert.strictEqual((await world.post({ jsonrpc: "2.0", ...other }, session)).status, 202);
    const cancel = { method: "notifications/cancelled", params: { requestId: 1 } };
    assert.strictEqual((await world.post({ jsonrpc: "2.0", ...cancel }, session)).status, 202);
    assertFields(await cancelled, { status: 202, text: "" });
    await world.serverUntil(() => world.server.calls[0]?.outcome === "cancelled");

    const lost = world.post(call, session);
    await world.serverUntil(() => world.server.calls.length === 2);
    assert.strictEqual(
      (await world.as(world.agent.key)("DELETE", "/mcp", { headers: session })).status,
      200,
    );
    assertFields(await lost, { status: 200, body: { id: 1, error: { code: -32_000 } } });
    await world.serverUntil(() => world.server.calls[1]?.outcome === "cancelled");
  });

  it("[agents.mcp.key-deleted] sessions and streams end with their key", async () => {
    const world = await World.forTest();
    const session = { "mcp-session-id": await begin(world) };
    const stream = await request(world, "GET", "/mcp", {
      key: world.agent.key,
      headers: { accept, ...session },
    });
    const listen = stateless("subscriptions/listen", { notifications: { toolsListChanged: true } });
    const listening = await request(world, "POST", "/mcp", { key: world.agent.key, ...listen });
    assert.strictEqual(listening.headers.get("content-type"), "text/event-stream");
    const owner = world.as(world.keys.owner.key);
    assert.strictEqual((await owner("DELETE", `/api/keys/${world.agent.id}`)).status, 204);
    await Promise.all([stream.text(), listening.text()]);
    assert.strictEqual((await world.post(list, session)).status, 401);
  });

  it("[agents.mcp.subscriptions] a key has a limited number of streams of changes", async () => {
    const world = await World.forTest({ endpoint: { maxSubscriptionsPerKey: 1 } });
    const listen = stateless("subscriptions/listen", { notifications: { toolsListChanged: true } });
    const abort = new AbortController();
    const open = (signal?: AbortSignal) =>
      request(world, "POST", "/mcp", {
        key: world.agent.key,
        ...listen,
        ...(signal && { signal }),
      });
    await open(abort.signal);
    assertFields(await (await open()).json(), { error: { code: -32_603 } });
    abort.abort();
    // The server does not report when it has noticed the abort.
    const isOpen = async () => (await open()).headers.get("content-type") === "text/event-stream";
    await vi.waitFor(async () => assert.isTrue(await isOpen()), { timeout: 15_000 });
  });

  it("[agents.mcp.stateless] the current protocol version needs no session, and lists the supported versions", async () => {
    const world = await World.forTest();
    const discover = stateless("server/discover");
    const answer = await world.post(discover.body, discover.headers);
    assert.strictEqual(answer.status, 200);
    assert.isNull(answer.headers.get("mcp-session-id"));
    assertFields(answer.body.result, {
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: { listChanged: true } },
    });
    const get = await world.as(world.agent.key)("GET", "/mcp", {
      headers: { accept, "mcp-protocol-version": "2026-07-28" },
    });
    assert.deepStrictEqual([get.status, get.headers.get("allow")], [405, "POST"]);
    const unknown = stateless("nonsense/method");
    assert.strictEqual((await world.post(unknown.body, unknown.headers)).body.error.code, -32_601);
  });

  it("[agents.mcp.stateless-plain] its requests get the same checks, with progress and without", async () => {
    const world = await World.forTest();
    await world.usableTool();
    world.server.onCall = ({ progress }) =>
      Effect.as(progress({ progress: 1 }), { content: [{ type: "text", text: "done" }] });
    const call = (meta: object = {}, headers: Record<string, string> = {}) => {
      const request = stateless("tools/call", { name: "test-tool__add" });
      Object.assign(request.body.params._meta, meta);
      return world.post(request.body, {
        ...request.headers,
        "mcp-name": "test-tool__add",
        ...headers,
      });
    };
    const plain = await call();
    assert.strictEqual(plain.headers.get("content-type"), "application/json");
    assertFields(plain.body, {
      jsonrpc: "2.0",
      id: 1,
      result: {
        resultType: "complete",
        content: [{ text: "done" }],
        _meta: { "io.modelcontextprotocol/serverInfo": { name: "quartermaster" } },
      },
    });
    const told = await call({ progressToken: 7 });
    assert.strictEqual(told.headers.get("content-type"), "text/event-stream");
    const messages = [...told.text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!));
    assert.deepStrictEqual(
      messages.map(({ method }) => method),
      ["notifications/progress", undefined],
    );
    assert.deepStrictEqual(messages.at(-1), plain.body);

    for (const meta of [{}, { progressToken: 7 }]) {
      for (const [headers, status] of [
        [{ "mcp-name": "test-tool__other" }, 400],
        [{ "mcp-method": "tools/list" }, 400],
        [{ "mcp-protocol-version": "2026-07-29" }, 400],
        [{ "mcp-name": "=?base64?dGVzdC10b29sX19hZGQ=?=" }, 200],
      ] as const) {
        assert.deepStrictEqual([headers, (await call(meta, headers)).status], [headers, status]);
      }
      const bad = { ...meta, "io.modelcontextprotocol/clientCapabilities": 7 };
      assert.strictEqual((await call(bad)).status, 400);
    }
    assert.lengthOf(world.server.calls, 4);
  });
});
