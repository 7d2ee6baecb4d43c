import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { about, type Access, Authorization, Conventions } from "./Access.ts";
import * as Problem from "./Problem.ts";

/** Access with any agent key, regardless of its role. */
const agent: Access = { role: "Viewer", cookie: false, only: "agentKey" };

const message = Schema.Json.annotate({ description: "A JSON-RPC message." });
const stream = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/event-stream" }));

/** The query of the endpoint. Unknown values are ignored, like unknown parameters. */
const query = {
  tools: Schema.optionalKey(Schema.String).annotateKey({
    description:
      "`direct` or `search`: how `tools/list` shows the granted tools to this connection. Default: the agent's `toolMode`.",
  }),
};

const call = HttpApiEndpoint.post("call", "/mcp", {
  query,
  payload: Schema.Unknown.annotate({
    description: "A JSON-RPC message from the agent's MCP client.",
    examples: [{ jsonrpc: "2.0", id: 1, method: "tools/list" }],
  }),
  success: [message, stream, HttpApiSchema.Empty(202)],
  error: [Problem.NotFound, Problem.MethodNotAllowed],
}).annotateMerge(
  about({
    summary: "Send an MCP message",
    description:
      "The MCP server for agents, over Streamable HTTP. It offers the tools that the agent was granted, and tools for working on issues. Protocol version 2026-07-28 has no sessions; with a legacy version, `initialize` starts a session and the response names it in `Mcp-Session-Id`. HTTP errors are problems; protocol errors are JSON-RPC errors.",
    access: agent,
    servedHost: true,
    // A file of 1 MiB as Base64.
    jsonBytes: 2 * 1024 * 1024,
  }),
);

const listen = HttpApiEndpoint.get("listen", "/mcp", {
  success: stream,
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "Listen to a session",
    description:
      "Streams the notifications of a session with a legacy protocol version, such as changes of the tool list, as Server-Sent Events.",
    access: agent,
    servedHost: true,
  }),
);

const end = HttpApiEndpoint.delete("end", "/mcp", {
  success: HttpApiSchema.Empty(200),
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "End a session",
    description: "Ends a session with a legacy protocol version.",
    access: agent,
    servedHost: true,
  }),
);

/** The agents' endpoint. */
export class McpApi extends HttpApiGroup.make("mcp")
  .add(call, listen, end)
  .middleware(Conventions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Agents over MCP",
      description: "The MCP server that agents connect to.",
    }),
  ) {}
