import { request as httpRequest } from "node:http";
import { assert, onTestFinished } from "@effect/vitest";
import { Client as McpClient, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Fixtures } from "@quartermaster/testing";
import { Effect } from "effect";
import * as Client from "./Client.ts";
import { Signal } from "./Signal.ts";
import type * as TestServer from "./TestServer.ts";

/**
 * The methods of a world for the agent `bot` over MCP, with the official client or with bare
 * messages.
 */

export const eras = ["2025-11-25", "2026-07-28"] as const;
export type Era = (typeof eras)[number];

export type List = "prompts" | "resources" | "tools";

export interface Connected {
  readonly client: McpClient;
  /** The number of received notifications of a changed list. */
  readonly changes: () => number;
  /** Waits until more than this number of notifications has arrived. */
  readonly changed: (since: number) => Promise<void>;
  readonly names: () => Promise<ReadonlyArray<string>>;
}

/**
 * A client of this protocol version, not connected yet, which is closed with the test. It counts
 * changes to that list.
 */
export const clientOf = (era: Era, list: List = "tools"): Connected => {
  let changes = 0;
  const signal = new Signal();
  const onChanged = () => {
    changes++;
    signal.notify();
  };
  const client = new McpClient(
    { name: "test", version: "1" },
    {
      listChanged: { [list]: { autoRefresh: false, debounceMs: 0, onChanged } },
      ...(era === "2026-07-28" ? { versionNegotiation: { mode: { pin: era } } } : {}),
    },
  );
  onTestFinished(() => client.close());
  return {
    client,
    changes: () => changes,
    changed: (since) => signal.until(() => changes > since),
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
  };
};

/**
 * A client that speaks this protocol version like a host, connected to the endpoint at that base
 * URL.
 */
export const connect = async (
  url: string,
  key: string,
  era: Era,
  list?: List,
): Promise<Connected> => {
  const connected = clientOf(era, list);
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  await connected.client.connect(transport);
  return connected;
};

export const of = async (server: TestServer.TestServer) => {
  const agent = await server.key({ role: "Editor", agentId: "bot" });
  const tool = server.scripted.connector.server("tool");
  tool.tools = [Fixtures.definition("add"), Fixtures.definition("find")];
  return {
    /** The key of the agent `bot`. */
    agent,
    /** The server behind `test-tool`. */
    server: tool,
    /** Waits until the condition holds for the calls and connections of that server. */
    serverUntil: (holds: () => boolean) => Effect.runPromise(tool.until(holds)),
    /** Connects like a host that speaks this protocol version. */
    connect: (era: Era, key = agent.key) => connect(server.url, key, era),
    /** A bare message to the endpoint. */
    post: (body: unknown, headers: Record<string, string> = {}, key: string = agent.key) =>
      Client.call(server, "POST", "/mcp", { key, body, headers: { accept, ...headers } }),
  };
};

/** The result of a tool of the service: one JSON text without structured content. */
export const answerOf = <A = Record<string, unknown>>(result: {
  readonly content: ReadonlyArray<{ readonly type: string; readonly text?: unknown }>;
  readonly structuredContent?: unknown;
}): A => {
  assert.isUndefined(result.structuredContent);
  assert.strictEqual(result.content[0]?.type, "text");
  return JSON.parse(String(result.content[0]?.text));
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

export const serviceTools = [
  "whoami",
  "work_next",
  "work_turn",
  "ask",
  "work_finish",
  "issues_list",
  "issue_get",
  "comments_list",
  "issue_create",
  "issue_comment",
  "issue_update",
  "issue_link",
  "issue_unlink",
  "plan_create",
  "questions_list",
  "question_withdraw",
  "effect_settle",
  "attachment_get",
  "attachment_add",
  "projects_list",
  "agents_list",
];

/** The status of a request to the endpoint with this `Host`, which fetch cannot set. */
export const withHost = (url: string, key: string, host: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const { body, headers } = stateless("tools/list");
    const sent = httpRequest(
      new URL(`${url}/mcp`),
      {
        method: "POST",
        headers: {
          ...headers,
          host,
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
        },
      },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      },
    );
    sent.on("error", reject);
    sent.end(JSON.stringify(body));
  });
