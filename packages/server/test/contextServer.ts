import { createInterface } from "node:readline";

/**
 * An MCP server that returns the `_meta` of each request. By stdio if it is started with `stdio`; after another
 * argument `hang`, it never responds to calls of tools.
 */

interface Message {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string; readonly _meta?: unknown };
}

/** Members that no server may set. */
const forged = { "quartermaster/replayed": "forged", own: "passes" };

const tool = (name: string) => ({ name, inputSchema: { type: "object" }, _meta: forged });

const resultOf = ({ method, params }: Message): object => {
  const text = JSON.stringify(params?._meta ?? {});
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {}, resources: {} },
        serverInfo: { name: "context", version: "1.0.0" },
      };
    case "tools/list":
      return { tools: [tool("look"), tool("pay")] };
    case "tools/call":
      return { content: [{ type: "text", text, _meta: forged }], _meta: forged };
    case "resources/list":
      return { resources: [{ uri: "note:1", name: "note", _meta: forged }] };
    case "resources/read":
      return { contents: [{ uri: "note:1", text, _meta: forged }], _meta: forged };
    default:
      return {};
  }
};

export const answer = (message: Message) => ({
  jsonrpc: "2.0",
  id: message.id,
  result: resultOf(message),
});

if (process.argv[2] === "stdio") {
  for await (const line of createInterface({ input: process.stdin })) {
    const message = JSON.parse(line) as Message;
    if (message.method === "tools/call" && process.argv[3] === "hang") continue;
    if (message.id !== undefined) process.stdout.write(`${JSON.stringify(answer(message))}\n`);
  }
}
