// An MCP server that pays. Each payment is a line of a file in its own folder. Every third reply is lost.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

const table = "payments.jsonl";
const payments = () =>
  existsSync(table)
    ? readFileSync(table, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [];

const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const text = (said) => ({ content: [{ type: "text", text: said }] });
const tool = (name, description, properties, readOnlyHint) => ({
  name,
  description,
  inputSchema: { type: "object", properties, required: Object.keys(properties) },
  annotations: { readOnlyHint },
});
const title = { type: "string" };
const tools = [
  tool("pay", "Pays for the issue with this title.", { title }, false),
  tool("paid", "Says whether a call paid.", { title, callId: title }, true),
  tool("list", "Lists the payments.", {}, true),
];

const pay = async ({ arguments: args, _meta }) => {
  const { callId } = _meta["quartermaster/call"];
  appendFileSync(table, `${JSON.stringify({ ...args, callId })}\n`);
  // Longer than the time limit of a call.
  if (payments().length % 3 === 0) await sleep(30_000);
  return text(`paid for ${args.title}`);
};

const paid = ({ arguments: { callId } }) =>
  text(
    `${callId} is ${payments().some((each) => each.callId === callId) ? "" : "not "}in the table`,
  );

const calls = { pay, paid, list: () => text(JSON.stringify(payments())) };

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    serverInfo: { name: "payments", version: "1" },
    capabilities: { tools: {} },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools }),
  "tools/call": (params) => calls[params.name](params),
};

createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const handle = methods[method];
  if (handle === undefined) return send({ id, error: { code: -32601, message: "Unknown method" } });
  send({ id, result: await handle(params) });
});
