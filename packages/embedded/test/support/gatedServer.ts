import { appendFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";

/**
 * An MCP server by stdio with the tool `act`, started with a folder. Its file `log` lists starts, calls and
 * cancellations. It responds to `initialize` once the file `open` exists, and to calls once `answer` exists.
 */

const folder = process.argv[2] ?? "";
const note = (line: string) => appendFileSync(join(folder, "log"), `${line}\n`);
const exists = async (file: string) => {
  while (!existsSync(join(folder, file))) await setTimeout(5);
};
const send = (message: object) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

const tools = [{ name: "act", inputSchema: { type: "object" } }];
const serverInfo = { name: "gated", version: "1.0.0" };

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") {
    note("start");
    await exists("open");
    const { protocolVersion } = params;
    send({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } });
  } else if (method === "tools/list") send({ id, result: { tools } });
  else if (method === "tools/call") {
    note(`call ${params.arguments.n}`);
    void exists("answer").then(() => send({ id, result: { content: [] } }));
  } else if (method === "notifications/cancelled") note("cancelled");
  else if (id !== undefined) send({ id, result: {} });
}
