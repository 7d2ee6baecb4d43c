import { createInterface } from "node:readline";

/**
 * A minimal MCP server. It has one tool, `echo`, which never responds if its argument is `silent`.
 */

interface Message {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: {
    readonly protocolVersion?: string;
    readonly arguments?: { readonly message?: string };
  };
}

const silent = process.argv[2] === "silent";

const echo = {
  name: "echo",
  description: "Says it again.",
  inputSchema: { type: "object", properties: { message: { type: "string" } } },
};

const answer = ({ method, params }: Message) => {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "echo", version: "1.0.0" },
      };
    case "tools/list":
      return { tools: [echo] };
    case "tools/call":
      return { content: [{ type: "text", text: `Echo: ${params?.arguments?.message}` }] };
    default:
      return {};
  }
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line) as Message;
  if (message.id === undefined || (silent && message.method === "tools/call")) return;
  const result = answer(message);
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: message.id, result })}\n`);
});
