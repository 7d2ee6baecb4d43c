// A small MCP server for tests whose subject is its secret, and not MCP: it is ready in 60 ms of processor time, and
// `server-everything` in 600.
import { createInterface } from "node:readline";

const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "vault", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools: [{ name: "look", inputSchema: { type: "object" } }] }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = results[method]?.(params) ?? {};
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
}
