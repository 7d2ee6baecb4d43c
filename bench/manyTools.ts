import { createInterface } from "node:readline";

/**
 * An MCP server. Its argument is the number of tools; their descriptions are as long as in real
 * servers.
 */

interface Message {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string };
}

const verbs = [
  "create",
  "list",
  "get",
  "update",
  "delete",
  "search",
  "archive",
  "send",
  "export",
  "upload",
];
const nouns = [
  "invoice",
  "customer",
  "pull_request",
  "message",
  "calendar_event",
  "document",
  "file",
  "order",
  "channel",
  "report",
  "ticket",
  "comment",
  "label",
  "branch",
  "release",
  "page",
  "database",
  "contact",
  "campaign",
  "deal",
  "payment",
  "refund",
  "subscription",
  "user",
  "team",
  "project",
  "milestone",
  "alert",
  "dashboard",
  "metric",
  "log",
  "trace",
  "secret",
  "bucket",
  "queue",
  "function",
  "table",
  "row",
  "index",
  "backup",
  "domain",
  "certificate",
  "host",
  "container",
  "image",
  "volume",
  "network",
  "policy",
  "role",
  "permission",
];

const tool = (index: number) => {
  const verb = verbs[index % verbs.length] ?? "";
  const noun = nouns[Math.floor(index / verbs.length) % nouns.length] ?? "";
  const words = noun.replace("_", " ");
  return {
    name: `${verb}_${noun}`,
    title: `${verb} ${words}`,
    description:
      `Use this to ${verb} a ${words} of the current workspace. Returns the ${words} with its id, its owner and ` +
      "the time of its last change. Fails if the caller lacks the permission for it, or if the limit of requests is reached.",
    inputSchema: {
      type: "object",
      properties: { id: { type: "string", description: `The id of the ${words}.` } },
    },
  };
};

/** `count` definitions, in the form in which a server lists them. */
export const toolsOf = (count: number) => Array.from({ length: count }, (_, index) => tool(index));

const answer = (tools: ReturnType<typeof toolsOf>, { method, params }: Message) => {
  if (method === "initialize") {
    return {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "many", version: "1.0.0" },
    };
  }
  return method === "tools/list" ? { tools } : {};
};

const serve = (tools: ReturnType<typeof toolsOf>) =>
  createInterface({ input: process.stdin }).on("line", (line) => {
    const message = JSON.parse(line) as Message;
    if (message.id === undefined) return;
    const result = answer(tools, message);
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: message.id, result })}\n`);
  });

if (import.meta.main) serve(toolsOf(Number(process.argv[2])));
