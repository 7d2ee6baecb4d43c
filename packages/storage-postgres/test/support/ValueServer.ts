import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type End, temporaryFolder } from "../../../server/test/Quartermaster.ts";

/** An MCP server whose tool returns the variable VALUE, which it read at its start. */
const program = `
  import { createInterface } from "node:readline";
  const value = process.env.VALUE ?? "";
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) continue;
    const result = {
      initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "v", version: "1" } },
      "tools/list": { tools: [{ name: "look", inputSchema: { type: "object" } }] },
      "tools/call": { content: [{ type: "text", text: "value " + value }] },
    }[method] ?? {};
    process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
  }
`;

/** The file of a catalog with the entry `value`, which runs the server. */
export const valueCatalog = async (end?: End, state = false): Promise<string> => {
  const folder = await temporaryFolder(end);
  const script = join(folder, "value.mjs");
  await writeFile(script, program);
  const catalog = join(folder, "catalog.json");
  const entry = {
    id: "value",
    name: "value",
    description: "Returns a variable",
    category: "dev",
    transport: "stdio",
    runtime: "none",
    installInstructions: "None",
    manifest: { command: process.execPath, args: [script], state },
    envVars: [{ name: "VALUE", description: "the value", required: true, secret: true }],
  };
  await writeFile(catalog, JSON.stringify([entry]));
  return catalog;
};
