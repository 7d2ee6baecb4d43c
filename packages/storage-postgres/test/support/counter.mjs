import { createInterface } from "node:readline";

// An MCP server with state: `count` returns the next number and the id of the process, `message` returns its own request, and `wait`
// responds after `go`.
let count = 0;
let cancelled = 0;
const waiting = new Map();
const write = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const text = (value) => ({ content: [{ type: "text", text: JSON.stringify(value) }] });

const tools = {
  count: () => text({ count: ++count, pid: process.pid }),
  waiting: () => text({ waiting: waiting.size, cancelled }),
  wait: (id, { _meta }) => {
    waiting.set(id, () => write({ id, result: text("done") }));
    const progressToken = _meta?.progressToken;
    if (progressToken === undefined) return;
    write({ method: "notifications/progress", params: { progressToken, progress: 1, total: 2 } });
  },
  message: (id, params, line) => text(line),
  go: () => {
    for (const end of waiting.values()) end();
    waiting.clear();
    return text("gone");
  },
};

const methods = {
  initialize: (_, { protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "counter", version: "1" },
  }),
  "tools/list": () => ({
    tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: "object" } })),
  }),
  "tools/call": (id, params, line) => tools[params.name](id, params, line),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === "notifications/cancelled" && waiting.delete(params.requestId)) cancelled++;
  if (id === undefined) continue;
  const result = methods[method] === undefined ? {} : methods[method](id, params, line);
  if (result !== undefined) write({ id, result });
}
