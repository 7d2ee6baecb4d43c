import type { ScriptedServer } from "@quartermaster/testing";
import { assertShape } from "../support/Assert.ts";
import type * as Client from "../support/Client.ts";
import type * as TestServer from "../support/TestServer.ts";
import * as World from "../support/World.ts";

/** A server whose MCP servers are scripted, and what an Admin does with them. */
export const start = async (options?: TestServer.Options) => {
  const world = await World.start(options);
  const admin = world.as(world.keys.admin.key);
  const install = async (body: Record<string, unknown>) => {
    const answer = await admin("POST", "/api/mcp/installed", { body });
    assertShape([answer.status, answer.text], [201, String]);
    return answer.body as { readonly id: string; readonly name: string };
  };
  const at = (id: string, path = "") => `/api/mcp/installed/${id}${path}`;
  return {
    ...world,
    admin,
    install,
    at,
    /** `test-notes` with its required secret. */
    notes: (name?: string) =>
      install({
        catalogId: "test-notes",
        envValues: { NOTES_KEY: secret },
        ...(name === undefined ? {} : { name }),
      }),
    /** What the program or the host of that name does. */
    script: (address: string): ScriptedServer.ScriptedServer =>
      world.scripted.connector.server(address),
    grant: (id: string, agentId: string, tools?: ReadonlyArray<string> | null) =>
      admin("PUT", at(id, "/access"), {
        body: { entries: [{ agentId, granted: true, ...(tools === undefined ? {} : { tools }) }] },
      }),
    callTool: (agentId: string, body: unknown, options?: Client.Call) =>
      world.call("POST", `/api/agents/${agentId}/tools/call`, { body, ...options }),
    tools: (agentId: string) => world.call("GET", `/api/agents/${agentId}/tools`),
  };
};

export type McpWorld = Awaited<ReturnType<typeof start>>;

/** The value that must never be seen again. */
export const secret = "canary/0b0e5d4c+secret";

/** A tool as servers list them. */
export const tool = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  description: `Does ${name}`,
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
  ...more,
});
