// A small MCP server for tests of its secret rather than of MCP: it is ready after 60 ms of
// processor time, `server-everything` after 600 ms.
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";

const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "vault", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools: [{ name: "look", inputSchema: { type: "object" } }] }),
  "tools/call": async ({ arguments: { bytes = 0, millis = 0 } }) => {
    await setTimeout(millis);
    return { content: [{ type: "text", text: "x".repeat(bytes) }] };
  },
};

const answer = async ({ id, method, params }) => {
  const result = (await results[method]?.(params)) ?? {};
  process.stdout.write(`${JSON.stringify({ result, jsonrpc: "2.0", id })}\n`);
};

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.id !== undefined) void answer(message);
}
