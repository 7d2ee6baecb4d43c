import { assert, onTestFinished, vi } from "@effect/vitest";
import { Client as McpClient, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Fixtures, type ScriptedServer } from "@quartermaster/testing";
import type * as Client from "../support/Client.ts";
import type * as TestServer from "../support/TestServer.ts";
import * as World from "../support/World.ts";

/** A server with scripted MCP servers, and the official client to speak to it as an agent. */

export const eras = ["2025-11-25", "2026-07-28"] as const;
export type Era = (typeof eras)[number];

export const definition: typeof Fixtures.definition = Fixtures.definition;

export interface Connected {
  readonly client: McpClient;
  readonly transport: StreamableHTTPClientTransport;
  /** How many notifications of a changed list it received. */
  readonly changes: () => number;
  readonly names: () => Promise<ReadonlyArray<string>>;
}

/** Connects as a host would that speaks this revision. */
export const connect = async (url: string, key: string, era: Era): Promise<Connected> => {
  let changes = 0;
  const client = new McpClient(
    { name: "test", version: "1" },
    {
      listChanged: {
        tools: {
          autoRefresh: false,
          debounceMs: 0,
          onChanged: () => {
            changes++;
          },
        },
      },
      ...(era === "2026-07-28" ? { versionNegotiation: { mode: { pin: era } } } : {}),
    },
  );
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const names = async () => {
    const { tools } = await client.listTools();
    return tools.map(({ name }) => name);
  };
  return { client, transport, changes: () => changes, names };
};

export interface AgentWorld extends Omit<World.World, "running"> {
  readonly admin: ReturnType<World.World["as"]>;
  /** The key of the agent `bot`. */
  readonly agent: TestServer.Key;
  /** What `test-tool` leads to. */
  readonly server: ScriptedServer.ScriptedServer;
  /** Installs `test-tool`, and answers its id. */
  readonly install: (name?: string) => Promise<string>;
  readonly grant: (
    id: string,
    agentId?: string,
    granted?: boolean,
    tools?: ReadonlyArray<string>,
  ) => Promise<void>;
  readonly act: (id: string, what: string) => Promise<void>;
  /** A server that is verified, enabled and granted; its id. */
  readonly running: () => Promise<string>;
  readonly connect: (era: Era, key?: string) => Promise<Connected>;
  /** A bare message to the endpoint. */
  readonly post: (
    body: unknown,
    headers?: Record<string, string>,
    key?: string,
  ) => Promise<Client.Answer>;
}

export const start = async (options?: TestServer.Options): Promise<AgentWorld> => {
  const world = await World.start(options);
  onTestFinished(() => world.close());
  const admin = world.as(world.keys.admin.key);
  const server = world.scripted.connector.server("tool");
  server.tools = [definition("add"), definition("find")];
  const agent = await world.key({ role: "Editor", agentId: "bot" });

  const install = async (name?: string) => {
    const answer = await admin("POST", "/api/mcp/installed", {
      body: { catalogId: "test-tool", envValues: {}, ...(name === undefined ? {} : { name }) },
    });
    assert.strictEqual(answer.status, 201);
    return answer.body.id as string;
  };
  const grant = async (
    id: string,
    agentId = "bot",
    granted = true,
    tools?: ReadonlyArray<string>,
  ) => {
    const entry = { agentId, granted, ...(tools === undefined ? {} : { tools }) };
    const path = `/api/mcp/installed/${id}/access`;
    assert.strictEqual((await admin("PUT", path, { body: { entries: [entry] } })).status, 200);
  };
  const act = async (id: string, what: string) => {
    const answer = await admin("POST", `/api/mcp/installed/${id}/${what}`);
    assert.isBelow(answer.status, 300);
  };
  return {
    ...world,
    admin,
    agent,
    server,
    install,
    grant,
    act,
    running: async () => {
      const id = await install();
      await act(id, "verify");
      await act(id, "enable");
      await grant(id);
      return id;
    },
    connect: (era: Era, key = agent.key) => connect(world.url, key, era),
    post: (
      body: unknown,
      headers: Record<string, string> = {},
      key: string | undefined = agent.key,
    ) => world.as(key)("POST", "/mcp", { body, headers: { accept, ...headers } }),
  };
};

export const accept = "application/json, text/event-stream";

export const initialize = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  },
};

/** A message of the current protocol version. */
export const stateless = (method: string, params: Record<string, unknown> = {}) => ({
  body: {
    jsonrpc: "2.0",
    id: 1,
    method,
    params: {
      ...params,
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  },
  headers: { accept, "mcp-protocol-version": "2026-07-28", "mcp-method": method },
});

export const issueTools = [
  "issues_list",
  "issue_get",
  "issue_create",
  "issue_comment",
  "issue_update",
  "issue_link",
];

export const until = (what: () => unknown) =>
  vi.waitFor(async () => assert.isOk(await what()), { timeout: 15_000, interval: 10 });
