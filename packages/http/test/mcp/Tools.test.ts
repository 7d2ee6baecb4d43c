import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { McpConnector } from "@quartermaster/core";
import { Deferred, Effect } from "effect";
import { assertFields, assertProblem, assertRejects, assertShape } from "../support/Assert.ts";
import { request } from "../support/Client.ts";
import { secret, tool } from "../support/Servers.ts";
import * as World from "../support/World.ts";

let world: World.World;
let serverId: string;
beforeAll(async () => {
  world = await World.start({ mcp: { toolSeconds: 1 } });
  world.script("notes").tools = [tool("write", { title: "Write" }), tool("read")];
  serverId = (await world.notes("notes")).id;
  await world.admin("POST", world.at(serverId, "/verify"));
  await world.admin("POST", world.at(serverId, "/enable"));
  await world.grant(serverId, "bot");
});
afterAll(() => world.close());

const text = (value: string) => ({ type: "text", text: value });

describe("an agent's tools", () => {
  it("[tools.list] an agent's tools come from the servers that are enabled and granted to it", async () => {
    const { body, status } = await world.tools("bot");
    assert.strictEqual(status, 200);
    assertShape(body, {
      revision: String,
      tokens: Number,
      tools: [
        {
          name: "notes__write",
          server: "notes",
          tool: "write",
          title: "Write",
          description: "Does write",
          inputSchema: tool("write").inputSchema,
          annotations: null,
        },
        Object,
      ],
    });
    assertFields(body.tools[1], { name: "notes__read", title: null });
    assert.strictEqual((await world.tools("bot")).body.revision, body.revision);
  });

  it("[tools.list.search] lists the tools that match words, best match first, up to a limit", async () => {
    const { body: whole } = await world.tools("bot");
    const list = async (query: string) =>
      (await world.admin("GET", `/api/agents/bot/tools?${query}`)).body;
    const names = async (query: string) =>
      (await list(query)).tools.map(({ name }: { readonly name: string }) => name);
    assert.deepStrictEqual(await names("q=read%20notes"), ["notes__read", "notes__write"]);
    assert.deepStrictEqual(await names("q=read%20notes&limit=1"), ["notes__read"]);
    assert.deepStrictEqual(await names("q=weather"), []);
    const { revision, tokens } = await list("q=weather");
    assert.deepStrictEqual(
      { revision, tokens },
      { revision: whole.revision, tokens: whole.tokens },
    );
    for (const [path, value] of [
      ["q", ""],
      ["limit", 0],
      ["limit", 501],
    ]) {
      const refused = await world.admin("GET", `/api/agents/bot/tools?${path}=${value}`);
      assertProblem(refused, 400, "invalid-request", { errors: [{ path, message: String }] });
    }
  });

  it("[tools.list.404] an unknown agent is a 404, and the request does not register it", async () => {
    const gone = { resource: "agent", id: "nobody" };
    assertProblem(await world.tools("nobody"), 404, "not-found", gone);
    assertProblem(await world.callTool("nobody", { name: "x" }), 404, "not-found", gone);
    assertProblem(await world.tools("nobody"), 404, "not-found", gone);
  });

  it("[tools.revision] the revision changes with the list, and equals the revision of heartbeat and turn", async () => {
    const revision = async () => (await world.tools("bot")).body.revision;
    const before = await revision();
    await world.grant(serverId, "bot", { tools: ["read"] });
    assert.lengthOf((await world.tools("bot")).body.tools, 1);
    assert.notStrictEqual(await revision(), before);
    const beat = await world.call("POST", "/api/agents/bot/heartbeat", { body: {} });
    assert.strictEqual(beat.body.toolsRevision, await revision());
    await world.grant(serverId, "bot", { tools: null });
    assert.strictEqual(await revision(), before);
  });

  it("[tools.call.agent-paused] a call by a paused agent is a 409 with the reason agentPaused", async () => {
    const pause = (paused: boolean) => world.admin("PUT", "/api/agents/bot", { body: { paused } });
    await pause(true);
    const refused = await world.callTool("bot", { name: "notes__read" });
    assertProblem(refused, 409, "tool-unavailable", { reason: "agentPaused" });
    await pause(false);
    assert.strictEqual((await world.callTool("bot", { name: "notes__read" })).status, 200);
  });

  it("[tools.acting] an agent's key acts only for its agent, and a project's key for none", async () => {
    const own = await world.key({ role: "Editor", agentId: "bot" });
    const other = await world.key({ role: "Editor", agentId: "other" });
    const bound = await world.key({ role: "Editor", projects: ["p1"] });
    const list = async (key: string) =>
      (await world.as(key)("GET", "/api/agents/bot/tools")).status;
    assert.strictEqual(await list(own.key), 200);
    assert.strictEqual(await list(other.key), 403);
    assert.strictEqual(await list(bound.key), 403);
    assert.strictEqual(await list(world.keys.viewer.key), 403);
    const body = { name: "notes__read" };
    assert.strictEqual((await world.callTool("bot", body, { key: own.key })).status, 200);
    assert.strictEqual((await world.callTool("bot", body, { key: other.key })).status, 403);
  });
});

describe("a call", () => {
  it("[tools.call] a call passes the arguments on unchanged, and returns the complete result", async () => {
    const script = world.script("notes");
    const args = { text: "Grüße 🌱", nested: { list: [1, null, { a: true }] }, empty: "" };
    const { body, status } = await world.callTool("bot", {
      name: "notes__write",
      arguments: args,
    });
    assert.deepStrictEqual(
      [status, body],
      [200, { content: [text("ok")], structuredContent: null, isError: false }],
    );
    assertFields(script.calls.at(-1), { tool: "write", args });
    await world.callTool("bot", { name: "notes__write" });
    assert.deepStrictEqual(script.calls.at(-1)?.args, {});
    const was = script.onCall;
    script.onCall = () =>
      Effect.succeed({
        content: [{ type: "image", data: "AA==", mimeType: "image/png" }],
        structuredContent: { a: [1] },
        isError: true,
      });
    assert.deepStrictEqual((await world.callTool("bot", { name: "notes__write" })).body, {
      content: [{ type: "image", data: "AA==", mimeType: "image/png" }],
      structuredContent: { a: [1] },
      isError: true,
    });
    script.onCall = was;
  });

  it("[tools.call.rpc-error] the server's JSON-RPC error becomes a result with the error", async () => {
    const script = world.script("notes");
    const was = script.onCall;
    script.onCall = () =>
      Effect.fail(new McpConnector.RpcError({ code: -32602, message: `bad ${secret}` }));
    const { body, status } = await world.callTool("bot", { name: "notes__write" });
    script.onCall = was;
    assert.deepStrictEqual(
      [status, body],
      [200, { content: [text("bad [secret NOTES_KEY]")], structuredContent: null, isError: true }],
    );
  });

  it("[tools.call.invalid] an invalid call is refused with the path of the field", async () => {
    for (const [body, path] of [
      [{}, "name"],
      [{ name: "notes__write", arguments: [] }, "arguments"],
      [{ name: "notes__write", args: {} }, "args"],
    ] as const) {
      assertProblem(await world.callTool("bot", body), 400, "invalid-request", {
        errors: [{ path, message: String }],
      });
    }
  });

  it("[tools.unavailable] a call to an unavailable tool is a 409 with the reason", async () => {
    const script = world.script("notes");
    const refused = async (reason: string, name = "notes__write", agentId = "bot") =>
      assertProblem(await world.callTool(agentId, { name }), 409, "tool-unavailable", { reason });
    const post = (path: string) => world.admin("POST", world.at(serverId, path));

    await refused("unknownTool", "notes__none");
    await world.admin("PUT", "/api/agents/stranger", { body: {} });
    await refused("notGranted", "notes__write", "stranger");
    await world.grant(serverId, "bot", { tools: ["read"] });
    await refused("notGranted");
    await world.grant(serverId, "bot", { tools: null });

    await post("/disable");
    await refused("notEnabled");
    await post("/enable");

    const was = script.onCall;
    script.onCall = () => Effect.never;
    await refused("timeout");
    script.onCall = () => Effect.andThen(script.crash(`It said ${secret}`), Effect.never);
    await refused("crashed");
    const { ConnectorError } = McpConnector;
    script.onCall = () => new ConnectorError({ reason: "unreachable", message: "no", sent: false });
    const unsent = await world.callTool("bot", { name: "notes__write" });
    const times = { since: /Z$/, retryAt: null };
    assertProblem(unsent, 409, "tool-unavailable", { reason: "failing", ...times });
    assert.match(unsent.body.detail, /^The call was not sent; it is safe to repeat\./);
    script.onCall = was;

    const { tools } = script;
    script.tools = [tool("write", { description: "Changed" }), tool("read")];
    await post("/verify");
    await refused("withheld");
    assert.strictEqual(
      (
        await world.admin("POST", world.at(serverId, "/tools/block"), {
          body: { names: ["write"] },
        })
      ).status,
      200,
    );
    const blocked = await world.callTool("bot", { name: "notes__write" });
    assert.include(blocked.body.detail, "An Admin blocked this tool");
    await world.admin("POST", world.at(serverId, "/tools/unblock"), { body: { names: ["write"] } });
    script.tools = tools;
    await post("/verify");

    script.onConnect = new McpConnector.ConnectorError({
      reason: "spawnFailed",
      message: "No such program.",
      sent: false,
    });
    await post("/verify");
    const out = await world.callTool("bot", { name: "notes__write" });
    const retry = { since: /Z$/, retryAt: /Z$/ };
    assertProblem(out, 409, "tool-unavailable", { reason: "failing", ...retry });
    assert.match(
      out.body.detail,
      /^The call was not sent; it is safe to repeat\. Its server is not reachable since \S+Z \(\d+ s\); it is tried again at \S+Z \(in \d+ s\)\.$/,
    );
    script.onConnect = Effect.void;
    await post("/verify");
    assert.strictEqual((await world.callTool("bot", { name: "notes__write" })).status, 200);
  });

  it("[tools.call.cancel] a client that disconnects cancels the call at the server", async () => {
    const script = world.script("notes");
    const was = script.onCall;
    const begun = Deferred.makeUnsafe<void>();
    const ended = Deferred.makeUnsafe<void>();
    script.onCall = () =>
      Effect.andThen(Deferred.succeed(begun, undefined), Effect.never).pipe(
        Effect.onInterrupt(() => Deferred.succeed(ended, undefined)),
      );
    const controller = new AbortController();
    const answer = request(world, "POST", "/api/agents/bot/tools/call", {
      key: world.keys.editor.key,
      body: { name: "notes__write" },
      signal: controller.signal,
    });
    await Effect.runPromise(Deferred.await(begun));
    controller.abort();
    await assertRejects(answer, { message: /abort/i });
    await Effect.runPromise(Deferred.await(ended));
    script.onCall = was;
    const { body } = await world.admin("GET", "/api/mcp/calls?limit=1");
    assertFields(body[0], { tool: "write", outcome: "cancelled" });
  });

  it("[tools.calls] the record lists calls newest first, without arguments and results", async () => {
    await world.callTool("bot", { name: "notes__read", arguments: { text: "a private matter" } });
    const { body, text } = await world.admin("GET", "/api/mcp/calls");
    assertShape(body[0], {
      id: /^call_/,
      agentId: "bot",
      runId: null,
      issueId: null,
      projectId: null,
      keyId: /^key_/,
      worker: null,
      serverId,
      server: "notes",
      tool: "read",
      toolDigest: /^[0-9a-f]{64}$/,
      startedAt: /Z$/,
      durationMs: Number,
      outcome: "ok",
      error: null,
      recorded: "errors",
      requestBytes: 27,
      responseBytes: Number,
    });
    assert.notInclude(text, "private");
    const one = await world.admin("GET", `/api/mcp/calls/${body[0].id}`);
    const { arguments: args, result, truncated, ...listed } = one.body;
    assert.deepStrictEqual([args, result, truncated], [null, null, false]);
    assert.deepStrictEqual(listed, body[0]);
    assert.strictEqual((await world.admin("GET", "/api/mcp/calls/call_unknown")).status, 404);
    const failed = await world.admin("GET", "/api/mcp/calls?outcome=failed");
    assert.notInclude(
      failed.body.map(({ outcome }: { readonly outcome: string }) => outcome),
      "ok",
    );
    const first = await world.admin("GET", "/api/mcp/calls?limit=2");
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
    assert.deepStrictEqual((await world.admin("GET", next)).body[0], body[2]);
    for (const [query, all] of [
      ["agentId=bot", true],
      ["agentId=stranger", false],
      [`serverId=${serverId}`, true],
    ] as const) {
      const narrowed = await world.admin("GET", `/api/mcp/calls?${query}&limit=500`);
      assert.strictEqual(narrowed.body.length > 3, all);
    }
    assert.strictEqual((await world.admin("GET", "/api/mcp/calls?limit=0")).status, 400);
  });
});
