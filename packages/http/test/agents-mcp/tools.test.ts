import { assert, describe, it } from "@effect/vitest";
import { ProtocolError, SdkError } from "@modelcontextprotocol/client";
import { McpConnector } from "@quartermaster/core";
import { Fixtures } from "@quartermaster/testing";
import { Deferred, Effect } from "effect";
import * as Agent from "../support/Agent.ts";
import { assertFields, assertRejects, assertShape, rejection } from "../support/Assert.ts";
import * as World from "../support/World.ts";

const { serviceTools } = Agent;
const { definition } = Fixtures;

/** Checks that the result gives the reason why the agent cannot use the tool. */
const assertUnusable = async (called: Promise<object>, reason: string, detail: RegExp) => {
  const result = (await called) as Parameters<typeof Agent.answerOf>[0];
  assertFields(result, { isError: true });
  const answer = Agent.answerOf<Record<string, unknown>>(result);
  assertFields(answer, { error: "tool-unavailable", reason, detail });
};

for (const era of Agent.eras) {
  describe(`agents over MCP ${era}`, () => {
    it("[agents.mcp.list] the list has the agent's tools as their servers define them, and the issue tools", async () => {
      const world = await World.forTest();
      const full = definition("add", {
        title: "Add a note",
        annotations: { readOnlyHint: false, title: "Add" },
        outputSchema: { type: "object", properties: { id: { type: "string" } } },
        icons: [{ src: "https://example.com/i.png" }],
        _meta: { "example.com/cost": 3 },
        inputSchema: { type: "object", properties: { text: { type: "string" } }, "x-own": true },
      });
      world.server.tools = [full, definition("find")];
      await world.usableTool();
      const { client, names } = await world.connect(era);
      assert.strictEqual(client.getNegotiatedProtocolVersion(), era);
      assert.deepStrictEqual(client.getServerCapabilities()?.tools, { listChanged: true });
      assert.deepStrictEqual(await names(), [...serviceTools, "test-tool__add", "test-tool__find"]);
      const { tools } = await client.listTools();
      const added = tools.find(({ name }) => name === "test-tool__add");
      assertShape(added, { ...full, name: "test-tool__add" });
      for (const tool of tools.slice(0, serviceTools.length)) {
        assertFields(tool, {
          description: /\.$/,
          inputSchema: { type: "object" },
        });
      }
    });

    it("[agents.mcp.list-own] another agent's tools are not listed", async () => {
      const world = await World.forTest();
      await world.usableTool();
      const other = await world.key({ role: "Editor", agentId: "eve" });
      const { client, names } = await world.connect(era, other.key);
      assert.deepStrictEqual(await names(), serviceTools);
      await assertUnusable(client.callTool({ name: "test-tool__add" }), "unknownTool", /no tool/);
    });

    it("[agents.mcp.limits] a call beyond a limit is a result with isError that has the delay or the size", async () => {
      const world = await World.forTest();
      const outputSchema = { type: "object", properties: { a: { type: "number" } } };
      world.server.tools = [definition("add", { outputSchema })];
      world.server.onCall = () =>
        Effect.succeed({ content: [], structuredContent: { a: 1, b: "x".repeat(100) } });
      const id = await world.usableTool();
      const { client } = await world.connect(era);
      const call = { name: "test-tool__add", arguments: {} };
      const both = async () => {
        const rest = await world.callTool("bot", call);
        assert.strictEqual(rest.status, 200);
        return [rest.body, await client.callTool(call)];
      };
      await world.admin("PUT", world.at(id), { body: { maxResultBytes: 100 } });
      for (const result of await both()) {
        assertFields(result, {
          content: [
            {
              text: /^The call was carried out; its result of 1\d\d bytes is larger than the limit of 100 bytes\./,
            },
          ],
          isError: true,
        });
      }
      await world.grant(id, "bot", { callsPerMinute: 1 });
      await world.callTool("bot", call);
      const sent = world.server.calls.length;
      for (const result of await both()) {
        assertFields(result, {
          content: [{ text: /^The call was not sent; it is safe to repeat after \d+ s\./ }],
          isError: true,
        });
      }
      assert.lengthOf(world.server.calls, sent);
    });

    it("[agents.mcp.call] arguments and result are passed on unchanged", async () => {
      const world = await World.forTest();
      await world.usableTool();
      world.server.onCall = ({ args }) =>
        Effect.succeed({
          content: [{ type: "text", text: "said", annotations: { priority: 1 } }],
          structuredContent: { args },
          _meta: { "example.com/took": 5 },
        } as never);
      const { client } = await world.connect(era);
      const args = { text: "ü", deep: [{ a: null }] };
      const result = await client.callTool({ name: "test-tool__add", arguments: args });
      assertFields(result, {
        content: [{ type: "text", text: "said", annotations: { priority: 1 } }],
        structuredContent: { args },
        _meta: { "example.com/took": 5 },
      });
      assert.deepStrictEqual(world.server.calls, [{ tool: "add", args, outcome: "answered" }]);
    });

    it("[agents.mcp.call-error] a failed tool call returns a result with the error", async () => {
      const world = await World.forTest();
      await world.usableTool();
      const { client } = await world.connect(era);
      world.server.onCall = () =>
        Effect.succeed({ content: [{ type: "text", text: "no" }], isError: true });
      assertFields(await client.callTool({ name: "test-tool__add" }), { isError: true });
      world.server.onCall = () => Effect.andThen(world.server.crash(), Effect.never);
      assertFields(await client.callTool({ name: "test-tool__add" }), {
        isError: true,
        content: [
          {
            text: /^\{"error":"tool-unavailable","detail":".*stopped during the call.*","reason":"crashed"\}$/,
          },
        ],
      });
    });

    it("[agents.mcp.unknown] a tool that the agent may not use is a result with isError and the reason", async () => {
      const world = await World.forTest();
      const id = await world.usableTool();
      const { client } = await world.connect(era);
      const refused = (name: string, reason: string, detail: RegExp) =>
        assertUnusable(client.callTool({ name }), reason, detail);
      const none = /^There is no tool none\. Call one of tools\/list\.$/;
      await refused("none", "unknownTool", none);
      await refused(
        "issue_list",
        "unknownTool",
        /no tool issue_list\. Did you mean issues_list\?$/,
      );
      await refused("test-tool__ad", "unknownTool", /Did you mean test-tool__add\?$/);
      await refused("find", "unknownTool", /Did you mean test-tool__find\?$/);
      await world.grant(id, "bot", { tools: ["find"] });
      await refused("test-tool__add", "notGranted", /^test-tool__add is not granted any more\./);
      await client.callTool({ name: "test-tool__find" });
      await world.act(id, "disable");
      await refused("test-tool__find", "notEnabled", /an Admin disabled its server\./);
    });

    it("[agents.mcp.progress] progress is passed on before the result", async () => {
      const world = await World.forTest();
      await world.usableTool();
      // The client drops the progress listener if the result arrives in the same chunk.
      const { promise: heard, resolve: hear } = Promise.withResolvers<void>();
      world.server.onCall = ({ progress }) =>
        Effect.gen(function* () {
          yield* progress({ progress: 1, total: 2, message: "half" });
          yield* progress({ progress: 2, total: 2 });
          yield* Effect.promise(() => heard);
          return { content: [] };
        });
      const { client } = await world.connect(era);
      const said: Array<unknown> = [];
      const onprogress = (progress: unknown) => {
        if (said.push(progress) === 2) hear();
      };
      await client.callTool({ name: "test-tool__add" }, { onprogress });
      assert.deepStrictEqual(said, [
        { progress: 1, total: 2, message: "half" },
        { progress: 2, total: 2 },
      ]);
    });

    it("[agents.mcp.cancel] a cancelled call is cancelled at its server", async () => {
      const world = await World.forTest();
      await world.usableTool();
      world.server.onCall = () => Effect.never;
      const { client } = await world.connect(era);
      const abort = new AbortController();
      const call = client.callTool({ name: "test-tool__add" }, { signal: abort.signal });
      await world.serverUntil(() => world.server.calls.length === 1);
      abort.abort();
      assert.instanceOf(await rejection(call), Error);
      await world.serverUntil(() => world.server.calls[0]?.outcome === "cancelled");
    });

    it("[agents.mcp.revoked] a call in flight fails immediately when its tool is revoked", async () => {
      const world = await World.forTest();
      const id = await world.usableTool();
      world.server.onCall = () => Effect.never;
      const { client } = await world.connect(era);
      const call = client.callTool({ name: "test-tool__add" });
      await world.serverUntil(() => world.server.calls.length === 1);
      await world.grant(id, "bot", { granted: false });
      await assertUnusable(call, "notGranted", /not granted any more/);
    });

    it("[agents.mcp.changed] agents are notified of a changed list after a grant, revoke, enable, disable and a change at the server", async () => {
      const world = await World.forTest();
      const connected = await world.connect(era);
      let seen = 0;
      const told = async (names: ReadonlyArray<string>) => {
        await connected.changed(seen);
        seen = connected.changes();
        assert.deepStrictEqual(await connected.names(), [...serviceTools, ...names]);
      };
      const both = ["test-tool__add", "test-tool__find"];
      const { id } = await world.install({ catalogId: "test-tool" });
      await world.act(id, "verify");
      await world.act(id, "enable");
      await world.grant(id, "bot");
      await told(both);
      await world.grant(id, "bot", { granted: false });
      await told([]);
      await world.grant(id, "bot");
      await told(both);
      await world.act(id, "disable");
      await told([]);
      await world.act(id, "enable");
      await told(both);
      await world.serverUntil(() => world.server.connections > 0);
      world.server.tools = [definition("add", { description: "other" }), definition("find")];
      await Effect.runPromise(world.server.announce);
      await told(["test-tool__find"]);
      await world.act(id, "verify?accept=true");
      await told(both);
      assert.strictEqual((await world.admin("DELETE", `/api/mcp/installed/${id}`)).status, 204);
      await told([]);
    });

    it("[agents.mcp.out] the tools of a server that is out stay listed without a notification, and a call reports the start of the outage and the next retry", async () => {
      const world = await World.forTest();
      const id = await world.usableTool();
      const connected = await world.connect(era);
      const names = await connected.names();
      world.server.onConnect = new McpConnector.ConnectorError({
        reason: "unreachable",
        message: "Refused.",
        sent: false,
      });
      await world.act(id, "verify");
      assert.deepStrictEqual(await connected.names(), names);
      const before = world.server.targets.length;
      assertFields(await connected.client.callTool({ name: "test-tool__add" }), {
        isError: true,
        content: [
          {
            type: "text",
            text: /The call was not sent; it is safe to repeat\. Its server is not reachable since \S+Z \(\d+ s\); it is tried again at \S+Z \(in \d+ s\)\./,
          },
        ],
      });
      assert.lengthOf(world.server.targets, before);
      // The first notification reports a later change.
      await world.grant(id, "bot", { tools: ["add"] });
      await connected.changed(0);
      assert.strictEqual(connected.changes(), 1);
    });

    it("[agents.mcp.changed-first] agents are notified when a server without a verify first lists its tools", async () => {
      const world = await World.forTest();
      const opened = Deferred.makeUnsafe<void>();
      world.server.onConnect = Deferred.await(opened);
      const { id } = await world.install({ catalogId: "test-tool" });
      await world.grant(id, "bot");
      const connected = await world.connect(era);
      await world.act(id, "enable");
      await Effect.runPromise(Deferred.succeed(opened, undefined));
      await connected.changed(0);
      assert.include(await connected.names(), "test-tool__add");
    });

    it("[agents.mcp.changed-own] an agent is not notified of other agents' changes", async () => {
      const world = await World.forTest();
      const other = await world.key({ role: "Editor", agentId: "eve" });
      const [bot, eve] = [await world.connect(era), await world.connect(era, other.key)];
      await world.usableTool();
      await bot.changed(0);
      assert.strictEqual(eve.changes(), 0);
    });

    it("[agents.mcp.pages] a long list has pages, and an unknown cursor is refused", async () => {
      const world = await World.forTest({ endpoint: { pageSize: 6 } });
      world.server.tools = Array.from({ length: 7 }, (_, n) => definition(`t${n}`));
      await world.usableTool();
      const { client, names } = await world.connect(era);
      const first = await client.request({ method: "tools/list", params: {} });
      assert.deepStrictEqual(
        first.tools.map(({ name }) => name),
        serviceTools.slice(0, 6),
      );
      const second = await client.request({
        method: "tools/list",
        params: { cursor: first.nextCursor },
      });
      assert.deepStrictEqual(
        second.tools.map(({ name }) => name),
        serviceTools.slice(6, 12),
      );
      assert.deepStrictEqual(await names(), [
        ...serviceTools,
        ...Array.from({ length: 7 }, (_, n) => `test-tool__t${n}`),
      ]);
      const nonsense = client.request({ method: "tools/list", params: { cursor: "nonsense" } });
      await assertRejects(nonsense, { code: -32_602 });
    });

    it("[agents.mcp.errors] invalid messages and methods get errors of the protocol", async () => {
      const world = await World.forTest();
      const { client } = await world.connect(era);
      const wrongName = client.request({ method: "tools/call", params: { name: 7 as never } });
      assert.instanceOf(await rejection(wrongName), ProtocolError);
      assertFields(await client.listPrompts({}, { timeout: 2_000 }), { prompts: [] });
      const error = await rejection(
        client.request({ method: "prompts/get", params: { name: "x" } }),
      );
      assert.isTrue(error instanceof ProtocolError || error instanceof SdkError, String(error));
    });
  });
}
