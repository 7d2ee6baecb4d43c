import { assert, describe, it, onTestFinished } from "@effect/vitest";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { UriTemplate } from "@modelcontextprotocol/server";
import { McpConnector } from "@quartermaster/core";
import { Effect } from "effect";
import * as Agent from "../support/Agent.ts";
import { assertFields, assertRejects } from "../support/Assert.ts";
import * as Bridge from "../support/Bridge.ts";
import * as World from "../support/World.ts";

/** The common methods of the official clients for resources. */
interface Reader {
  readonly listResources: (params?: { readonly cursor?: string }) => Promise<{
    readonly resources: ReadonlyArray<{ readonly uri: string; readonly name: string }>;
    readonly nextCursor?: string | undefined;
    readonly _meta?: unknown;
  }>;
  readonly listResourceTemplates: () => Promise<{
    readonly resourceTemplates: ReadonlyArray<{ readonly uriTemplate: string }>;
  }>;
  readonly readResource: (params: {
    readonly uri: string;
  }) => Promise<{ readonly contents: ReadonlyArray<{ readonly uri: string }> }>;
  readonly callTool: (params: { readonly name: string }) => Promise<unknown>;
  readonly getServerCapabilities: () => object | undefined;
}

type Connect = (world: World.World, key?: string) => Promise<Reader>;

const version1: Connect = async (world, key = world.agent.key) => {
  const client = new Client({ name: "test", version: "1" });
  onTestFinished(() => client.close());
  const transport = new StreamableHTTPClientTransport(new URL(`${world.url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  // Its own types disagree under `exactOptionalPropertyTypes`.
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return client as Reader;
};

const version2 =
  (era: Agent.Era): Connect =>
  async (world, key) =>
    (await world.connect(era, key)).client as Reader;

const bridged =
  (era: Agent.Era): Connect =>
  async (world, key = world.agent.key) =>
    (await Bridge.connect({ QM_URL: world.url, QM_KEY: key }, era)).client as Reader;

const clients: ReadonlyArray<readonly [name: string, connect: Connect]> = [
  ["version 1 of the official SDK", version1],
  ...Agent.eras.flatMap((era) => [
    [`version 2 of the official SDK, ${era}`, version2(era)] as const,
    [`the bridge, ${era}`, bridged(era)] as const,
  ]),
];

const resource = (uri: string, more: object = {}) => ({ uri, name: uri, ...more });

const urisOf = async (client: Reader) =>
  (await client.listResources()).resources.map(({ uri }) => uri);

/** `test-tool` has these resources and templates, and is granted to `bot`. */
const start = async (resources: ReadonlyArray<unknown>, templates: ReadonlyArray<unknown> = []) => {
  const world = await World.forTest();
  world.server.resources.resources = resources;
  world.server.resources.resourceTemplates = templates;
  return { world, id: await world.usableTool() };
};

for (const [name, connect] of clients) {
  describe(`resources for ${name}`, { timeout: 60_000 }, () => {
    it("[agents.mcp.resources.list] resources and templates of granted servers are listed and read by URIs that name the server", async () => {
      const full = resource("file:///a", {
        title: "A",
        description: "The letter",
        mimeType: "text/plain",
        size: 3,
        annotations: { priority: 1 },
        icons: [{ src: "https://example.com/i.png" }],
        _meta: { "example.com/a": 1 },
      });
      const { world } = await start(
        [full, resource("notes/5"), null, { uri: 7 }, resource("file:///b", { icons: 5 })],
        [
          { uriTemplate: "note://{+path}{?rev*}", name: "note" },
          { uriTemplate: 5, name: "bad" },
        ],
      );
      const client = await connect(world);
      assert.deepNestedInclude(client.getServerCapabilities(), {
        resources: { listChanged: true },
      });
      const { resources, _meta } = await client.listResources();
      assertFields(resources, [
        { ...full, uri: "qm+test-tool+file:///a" },
        { uri: "qm+test-tool:notes%2F5", name: "notes/5" },
      ]);
      assert.lengthOf(resources, 2);
      assertFields(_meta, {
        "quartermaster/incomplete": [
          { server: "test-tool", reason: "3 that clients could not read are left out." },
        ],
      });
      const { resourceTemplates } = await client.listResourceTemplates();
      assert.lengthOf(resourceTemplates, 1);
      const { uriTemplate = "" } = resourceTemplates[0] ?? {};
      assert.strictEqual(uriTemplate, "qm+test-tool+note://{+path}{?rev*}");
      const expanded = new UriTemplate(uriTemplate).expand({ path: "a/b c", rev: "7" });
      const read = await client.readResource({ uri: expanded });
      assert.deepStrictEqual(world.server.reads, ["note://a/b%20c?rev=7"]);
      assert.deepStrictEqual(read.contents, [
        { uri: expanded, text: "note://a/b%20c?rev=7" } as never,
      ]);
      await client.readResource({ uri: "qm+test-tool:notes%2F5" });
      assert.strictEqual(world.server.reads.at(-1), "notes/5");
    });

    it("[agents.mcp.resources.links] links and embedded resources in results have URIs that can be read", async () => {
      const { world } = await start([]);
      const link = { type: "resource_link", uri: "file:///made", name: "made", mimeType: "a/b" };
      world.server.onCall = () =>
        Effect.succeed({
          content: [
            link,
            { type: "resource", resource: { uri: "a b", text: "x" } },
            { type: "text", text: "file:///made" },
          ],
        });
      const client = await connect(world);
      const result = await client.callTool({ name: "test-tool__add" });
      assertFields(result, {
        content: [
          { ...link, uri: "qm+test-tool+file:///made" },
          { type: "resource", resource: { uri: "qm+test-tool:a%20b", text: "x" } },
          { type: "text", text: "file:///made" },
        ],
      });
      await client.readResource({ uri: "qm+test-tool+file:///made" });
      assert.deepStrictEqual(world.server.reads, ["file:///made"]);
    });

    it("[agents.mcp.resources.errors] an unknown resource and a failed read are errors of the protocol", async () => {
      const { world, id } = await start([resource("file:///a")]);
      const client = await connect(world);
      const unknown = async (uri: string) =>
        assertRejects(client.readResource({ uri }), { code: -32_602, data: { uri } });
      await unknown("file:///a");
      await unknown("qm+none+file:///a");
      world.server.onRead = () =>
        Effect.fail(new McpConnector.RpcError({ code: -32_002, message: "No such file" }));
      await unknown("qm+test-tool+file:///a");
      const uri = "qm+test-tool+file:///a";
      world.server.onRead = () =>
        Effect.fail(new McpConnector.RpcError({ code: -32_050, message: "locked", data: [1] }));
      await assertRejects(client.readResource({ uri }), {
        code: -32_050,
        message: /locked/,
        data: [1],
      });
      world.server.onRead = () => Effect.andThen(world.server.crash(), Effect.never);
      await assertRejects(client.readResource({ uri }), {
        code: -32_603,
        message: /The resource was not read; it is safe to repeat/,
        data: { error: "tool-unavailable", reason: "crashed" },
      });
      await world.admin("PUT", "/api/agents/bot", { body: { callsNeedRun: true } });
      await assertRejects(client.readResource({ uri }), {
        code: -32_603,
        message: /The agent may call tools only for a live run. Pick up an issue first\.$/,
        data: { error: "tool-unavailable", reason: "noRun" },
      });
      await world.admin("PUT", "/api/agents/bot", { body: { callsNeedRun: false } });
      await world.grant(id, "bot", { tools: ["add"] });
      await unknown(uri);
      assert.deepStrictEqual(await urisOf(client), []);
    });
  });
}

for (const era of Agent.eras) {
  describe(`resources ${era}`, () => {
    it("[agents.mcp.resources.viewer] a Viewer's key and another agent's key see no resources", async () => {
      const { world } = await start([resource("file:///a")]);
      const viewer = await world.key({ role: "Viewer", agentId: "bot" });
      const other = await world.key({ role: "Editor", agentId: "eve" });
      for (const { key } of [viewer, other]) {
        const { client } = await world.connect(era, key);
        assert.deepStrictEqual(await urisOf(client), []);
        const uri = "qm+test-tool+file:///a";
        await assertRejects(client.readResource({ uri }), { code: -32_602 });
      }
    });

    it("[agents.mcp.resources.changed] agents are notified of changed resources after a grant, a revoke and a change at the server", async () => {
      const { world, id } = await start([resource("file:///a")]);
      const other = await world.key({ role: "Editor", agentId: "eve" });
      const connected = await Agent.connect(world.url, world.agent.key, era, "resources");
      const eve = await Agent.connect(world.url, other.key, era, "resources");
      let seen = 0;
      const told = async (uris: ReadonlyArray<string>) => {
        await connected.changed(seen);
        seen = connected.changes();
        assert.deepStrictEqual(await urisOf(connected.client), uris);
      };
      assert.deepStrictEqual(await urisOf(connected.client), ["qm+test-tool+file:///a"]);
      await world.grant(id, "bot", { granted: false });
      await told([]);
      await world.grant(id, "bot");
      await told(["qm+test-tool+file:///a"]);
      world.server.resources.resources = [resource("file:///b")];
      await Effect.runPromise(world.server.announceResources);
      await told(["qm+test-tool+file:///b"]);
      assert.strictEqual(eve.changes(), 0);
    });

    it("[agents.mcp.resources.pages] a long list has pages, and an unknown cursor is refused", async () => {
      const world = await World.forTest({ endpoint: { pageSize: 6 } });
      const uris = Array.from({ length: 13 }, (_, n) => `file:///${n}`);
      world.server.resources.resources = uris.map((uri) => resource(uri));
      await world.usableTool();
      const { client } = await world.connect(era);
      const found: Array<string> = [];
      let cursor: string | undefined;
      do {
        const page = await client.request({
          method: "resources/list",
          params: cursor === undefined ? {} : { cursor },
        });
        assert.isAtMost(page.resources.length, 6);
        found.push(...page.resources.map(({ uri }) => uri));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      assert.deepStrictEqual(
        found,
        uris.map((uri) => `qm+test-tool+${uri}`),
      );
      const nonsense = client.request({ method: "resources/list", params: { cursor: "nonsense" } });
      await assertRejects(nonsense, { code: -32_602 });
    });
  });
}
