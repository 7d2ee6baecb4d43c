// An MCP server that logs each call in the order of arrival, before it does anything else:
// `node server.mjs FILE`. Its tools wait for `ms` milliseconds; `pay` stands for a tool whose effect
// must not happen twice.
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

const [file] = process.argv.slice(2);

const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

const string = { type: "string" };
const integer = { type: "integer" };
const tool = (name) => ({
  name,
  description: `The tool ${name}.`,
  inputSchema: {
    type: "object",
    properties: { run: string, issue: string, step: integer, ms: integer },
    required: ["run", "issue", "step", "ms"],
  },
});

/** The call as the service names it; null where the service names none. */
const arrived = (tool, { issue, ms, run, step }, meta) => {
  const call = meta?.["quartermaster/call"];
  const line = {
    at: Date.now(),
    callId: call?.callId ?? null,
    tool,
    run,
    issue,
    step: Number(step),
  };
  appendFileSync(file, `${JSON.stringify(line)}\n`);
  return sleep(Number(ms));
};

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    serverInfo: { name: "ledger", version: "1" },
    capabilities: { tools: {}, resources: {} },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools: [tool("pay"), tool("note")] }),
  "resources/list": () => ({ resources: [{ uri: "ledger://pages", name: "pages" }] }),
  "resources/templates/list": () => ({ resourceTemplates: [] }),
  "tools/call": async ({ _meta, arguments: args, name }) => {
    await arrived(name, args, _meta);
    return { content: [{ type: "text", text: `${name} ${args.step} is done.` }] };
  },
  "resources/read": async ({ _meta, uri }) => {
    await arrived("read", Object.fromEntries(new URL(uri).searchParams), _meta);
    return { contents: [{ uri, text: "A page." }] };
  },
};

createInterface(process.stdin).on("line", async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const handle = methods[method];
  if (handle === undefined) return send({ id, error: { code: -32601, message: "Unknown method" } });
  send({ id, result: await handle(params) });
});
