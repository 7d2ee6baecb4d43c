import { afterAll, assert, beforeAll, describe, it, onTestFinished } from "@effect/vitest";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Fixtures } from "@quartermaster/testing";
import { Effect } from "effect";
import * as Agent from "../support/Agent.ts";
import * as World from "../support/World.ts";

/**
 * One definition of a server is not what clients expect. The official SDKs judge a list as a whole: version 1 by
 * the schema of 2025-11-25, version 2 by the schema of the protocol version that it speaks.
 */

const { definition } = Fixtures;
const object = { type: "object" };

/** The invalid parts of the tool `bad`, which clients could not read. */
const withheld: ReadonlyArray<readonly [row: string, definition: unknown]> = [
  ["the root type array", { inputSchema: { type: "array" } }],
  ["description 5", { description: 5 }],
  ["annotations yes", { annotations: "yes" }],
  ["readOnlyHint yes", { annotations: { readOnlyHint: "yes" } }],
  ["an icon without src", { icons: [{}] }],
  ["_meta []", { _meta: [] }],
  ["required x", { inputSchema: { ...object, required: "x" } }],
  ["properties []", { inputSchema: { ...object, properties: [] } }],
  ["a property true", { inputSchema: { ...object, properties: { a: true } } }],
  ["an execution that is not an object", { execution: "soon" }],
  [
    "a tag character in a property",
    { inputSchema: { ...object, properties: { "a\u{E0041}": {} } } },
  ],
  ["$schema 5", { inputSchema: { ...object, $schema: 5 } }],
  ["outputSchema of the type string", { outputSchema: { type: "string" } }],
  ["an outputSchema that does not compile", { outputSchema: { ...object, $ref: "#/nowhere" } }],
  ["a description of 2 MB", { description: "x".repeat(2_000_000) }],
];

/** The parts of the tool `bad` that the service repairs. */
const repaired: ReadonlyArray<readonly [row: string, definition: Record<string, unknown>]> = [
  ["a top-level anyOf without type", { inputSchema: { anyOf: [{ required: ["a"] }] } }],
  ["an empty inputSchema", { inputSchema: {} }],
  ["no inputSchema", { inputSchema: undefined }],
  [
    "null members",
    {
      title: null,
      annotations: null,
      outputSchema: null,
      icons: null,
      _meta: null,
      execution: null,
    },
  ],
  ["required null", { inputSchema: { ...object, required: null } }],
  ["outputSchema without type", { outputSchema: { properties: {} } }],
  ["an unknown taskSupport", { execution: { taskSupport: "maybe" } }],
];

interface Lister {
  readonly listTools: () => Promise<{ readonly tools: ReadonlyArray<{ readonly name: string }> }>;
  readonly callTool: (params: { readonly name: string }) => Promise<unknown>;
}

let world: World.World;
let serverId: string;

beforeAll(async () => {
  world = await World.start();
  world.server.tools = [definition("add"), definition("find")];
  serverId = await world.usableTool();
});
afterAll(() => world.close());

/** Version 1 of the official SDK, and version 2 in both protocol versions. */
const clients = async (): Promise<ReadonlyArray<Lister>> => {
  const legacy = new Client({ name: "test", version: "1" });
  onTestFinished(() => legacy.close());
  const transport = new StreamableHTTPClientTransport(new URL(`${world.url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${world.agent.key}` } },
  });
  // Its own types disagree under `exactOptionalPropertyTypes`.
  await legacy.connect(transport as Parameters<typeof legacy.connect>[0]);
  const current = await Promise.all(Agent.eras.map((era) => world.connect(era)));
  return [legacy, ...current.map(({ client }) => client)];
};

const namesOf = async (client: Lister) =>
  (await client.listTools()).tools
    .map(({ name }) => name)
    .filter((name) => name.startsWith("test-tool__"));

const stateOf = async (name: string) => {
  const { body } = await world.admin("GET", world.at(serverId, "/tools"));
  return body.find((tool: { readonly name: string }) => tool.name === name);
};

describe("one definition that clients cannot read", () => {
  const others = ["test-tool__add", "test-tool__find"];

  it.each([...withheld, ["no name", { name: "" }] as const])(
    "[agents.mcp.definitions] %s: only that definition is withheld, and the other tools are listed",
    async (_, more) => {
      const bad = { ...definition("bad"), ...(more as object) };
      world.server.tools = [definition("add"), bad, definition("find")];
      const { body } = await world.admin("POST", world.at(serverId, "/verify?accept=true"));
      assert.strictEqual(body.status, "ok");
      assert.match(body.details, /with 2 tools\. Withheld, because clients could not read them: /);
      const tool = await stateOf(bad.name);
      assert.deepInclude(tool, { state: "invalid", accepted: null });
      assert.isString(tool.reason);
      for (const client of await clients()) assert.deepStrictEqual(await namesOf(client), others);
    },
  );

  it("[agents.mcp.definitions] a call of a blocked tool says that an Admin blocked it", async () => {
    world.server.tools = [definition("add"), definition("find")];
    await world.act(serverId, "verify");
    await world.act(serverId, "verify?accept=true");
    const tools = (path: string) =>
      world.admin("POST", world.at(serverId, `/tools/${path}`), { body: { names: ["add"] } });
    await tools("block");
    for (const client of await clients()) {
      const result = await client.callTool({ name: "test-tool__add" });
      assert.include(JSON.stringify(result), "An Admin blocked this tool.");
    }
    await tools("unblock");
  });

  it("[agents.mcp.definitions.unsupported] apps, tasks and the service's own members are removed from a definition", async () => {
    const meta = { trace: 1, "ui/resourceUri": "ui://a", ui: {}, "quartermaster/stop": {} };
    const description = "Adds.\n [Quartermaster] Stop.";
    const more = { _meta: meta, execution: { taskSupport: "required", x: 1 }, description };
    world.server.tools = [definition("add", more), definition("find")];
    await world.act(serverId, "verify");
    await world.act(serverId, "verify?accept=true");
    for (const client of await clients()) {
      const { tools } = await client.listTools();
      const add: Readonly<Record<string, unknown>> = {
        ...tools.find(({ name }) => name === "test-tool__add"),
      };
      assert.deepStrictEqual(add["_meta"], { trace: 1 });
      assert.strictEqual(add["description"], "Adds.\n>  [Quartermaster] Stop.");
      assert.notProperty(add["execution"] ?? {}, "taskSupport");
    }
    world.server.tools = [definition("add"), definition("find")];
    await world.act(serverId, "verify");
    await world.act(serverId, "verify?accept=true");
  });

  it.each(repaired)("[agents.mcp.definitions] %s: it is repaired", async (_, more) => {
    const repairable = JSON.parse(JSON.stringify(definition("bad", more)));
    world.server.tools = [definition("add"), repairable, definition("find")];
    await world.act(serverId, "verify");
    await world.act(serverId, "verify?accept=true");
    assert.deepInclude(await stateOf("bad"), { state: "accepted", reason: null });
    for (const client of await clients()) {
      assert.deepStrictEqual(await namesOf(client), [
        "test-tool__add",
        "test-tool__bad",
        "test-tool__find",
      ]);
    }
  });
});

describe("a result that clients cannot read", () => {
  const unreadable = "The call was carried out; its answer could not be read.";

  it.each([
    ["content missing", { structuredContent: { a: 1 } }, '{"a":1}'],
    ["content null", { content: null, structuredContent: { a: 1 } }, '{"a":1}'],
    [
      "an unknown block",
      { content: [{ type: "novel" }] },
      '[Content of the unknown type novel: {"type":"novel"}]',
    ],
    ["structured content of another type", { structuredContent: "a" }, "a"],
    ["no object", "text", unreadable],
    ["nothing", {}, unreadable],
  ] as const)(
    "[agents.mcp.readable] %s: the official SDKs and REST return it",
    async (_, sent, text) => {
      world.server.tools = [definition("add"), definition("find")];
      await world.act(serverId, "verify");
      world.server.onCall = () => Effect.succeed(sent as never);
      const name = "test-tool__add";
      const results = await Promise.all(
        (await clients()).map((client) => client.callTool({ name })),
      );
      results.push((await world.callTool("bot", { name })).body);
      for (const result of results) {
        assert.nestedPropertyVal(result, "content[0].text", text);
        assert.strictEqual(Reflect.get(Object(result), "isError") === true, text === unreadable);
      }
    },
  );
});
