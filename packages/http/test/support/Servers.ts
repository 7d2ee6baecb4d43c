import { assert } from "@effect/vitest";
import type { AccessEntry } from "@quartermaster/core";
import type { ScriptedServer } from "@quartermaster/testing";
import * as Client from "./Client.ts";
import type * as TestServer from "./TestServer.ts";

/** The methods of a world for Admins' calls of MCP servers, which are scripted. */
export const of = (
  server: TestServer.TestServer,
  keys: { readonly admin: TestServer.Key; readonly editor: TestServer.Key },
) => {
  const admin = Client.as(server, keys.admin.key);
  const editor = Client.as(server, keys.editor.key);
  const at = (id: string, path = "") => `/api/mcp/installed/${id}${path}`;
  const install = async (body: Record<string, unknown>) => {
    const answer = await admin("POST", "/api/mcp/installed", { body });
    assert.strictEqual(answer.status, 201, answer.text);
    return answer.body as { readonly id: string; readonly name: string };
  };
  /** Sends an action without a body to a server: verify, enable or disable. */
  const act = async (id: string, what: string) => {
    const answer = await admin("POST", at(id, `/${what}`));
    assert.isBelow(answer.status, 300, answer.text);
  };
  const grant = async (
    id: string,
    agentId: string,
    access: Partial<AccessEntry.StoredAccess> = {},
  ) => {
    const entries = [{ agentId, granted: true, ...access }];
    const answer = await admin("PUT", at(id, "/access"), { body: { entries } });
    assert.strictEqual(answer.status, 200, answer.text);
  };
  return {
    at,
    install,
    act,
    grant,
    /** `test-notes` with its required secret. */
    notes: (name?: string) =>
      install({
        catalogId: "test-notes",
        envValues: { NOTES_KEY: secret },
        ...(name === undefined ? {} : { name }),
      }),
    /** `test-tool`, verified, enabled and granted to `bot`; its id. */
    usableTool: async () => {
      const { id } = await install({ catalogId: "test-tool" });
      await act(id, "verify");
      await act(id, "enable");
      await grant(id, "bot");
      return id;
    },
    /** The behavior of the program or host with that name. */
    script: (address: string): ScriptedServer.ScriptedServer =>
      server.scripted.connector.server(address),
    callTool: (agentId: string, body: unknown, options?: Client.Call) =>
      editor("POST", `/api/agents/${agentId}/tools/call`, { body, ...options }),
    tools: (agentId: string) => editor("GET", `/api/agents/${agentId}/tools`),
  };
};

/** The secret value that no output may contain. */
export const secret = "canary/0b0e5d4c+secret";

/** A tool as servers list them. */
export const tool = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  description: `Does ${name}`,
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
  ...more,
});
