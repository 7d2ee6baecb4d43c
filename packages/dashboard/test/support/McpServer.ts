import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { assert } from "@effect/vitest";
import { good, type Handler, type Message } from "../../../mcp/test/support/HttpFixture.ts";
import type { End } from "../../../server/test/Quartermaster.ts";
import type { Screens } from "./Screens.ts";

/** A remote MCP server of a test, whose tools the test changes. */
export interface McpServer {
  /** The installed server's id. */
  readonly id: string;
  /** The tools that it lists from now on. */
  tools: ReadonlyArray<unknown>;
  /** The instructions that it sends from now on. */
  instructions?: string;
  /** A call of `/api/mcp/installed/{id}`. */
  readonly call: (method: string, path: string, body?: unknown) => ReturnType<Screens["call"]>;
  /** Makes the service list the tools, and accepts them if `accept` is true. */
  readonly verify: (accept?: boolean) => Promise<void>;
}

/** Installs and verifies a server with these tools, and accepts them. */
export const install = async (
  screens: Screens,
  name: string,
  tools: ReadonlyArray<unknown>,
  end: End,
  /** Responds to calls of tools. Default: a result with the arguments. */
  onCall?: Handler,
): Promise<McpServer> => {
  const state: Pick<McpServer, "tools" | "instructions"> = { tools };
  const handle = good({
    tools: () => state.tools,
    instructions: () => state.instructions,
    ...(onCall === undefined ? {} : { call: onCall }),
  });
  const program = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () =>
      handle(request, response, body === "" ? null : (JSON.parse(body) as Message)),
    );
  });
  await new Promise<void>((resolve) => program.listen(0, "127.0.0.1", resolve));
  end(async () => {
    program.closeAllConnections();
    program.close();
  });
  const { port } = program.address() as AddressInfo;
  const entry = {
    id: name,
    name,
    description: `Notes of ${name}`,
    category: "productivity",
    transport: "http",
    runtime: "none",
    installInstructions: "None.",
    manifest: { url: `http://127.0.0.1:${port}/mcp` },
  };
  const created = await screens.call("POST", "/api/mcp/catalog", entry);
  assert.strictEqual(created.status, 201, created.text);
  const installed = await screens.call("POST", "/api/mcp/installed", { catalogId: name });
  assert.strictEqual(installed.status, 201, installed.text);
  const id: string = installed.body.id;
  const call: McpServer["call"] = (method, path, body) =>
    screens.call(method, `/api/mcp/installed/${id}${path}`, body);
  const verify = async (accept = false) => {
    const { body, text } = await call("POST", `/verify${accept ? "?accept=true" : ""}`);
    assert.strictEqual(body.status, "ok", text);
  };
  await verify();
  return Object.assign(state, { id, call, verify });
};
