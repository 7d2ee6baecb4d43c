import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { about, type Access, Authorization, Conventions } from "./Access.ts";
import * as Problem from "./Problem.ts";

/** An agent's own key, whatever its role. */
const agent: Access = { role: "Viewer", cookie: false, only: "agentKey" };

const message = Schema.Json.annotate({ description: "JSON-RPC." });
const stream = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/event-stream" }));

const call = HttpApiEndpoint.post("call", "/mcp", {
  payload: Schema.Unknown.annotate({
    description: "A JSON-RPC message of MCP.",
    examples: [{ jsonrpc: "2.0", id: 1, method: "tools/list" }],
  }),
  success: [message, stream, HttpApiSchema.Empty(202)],
  error: [Problem.NotFound, Problem.MethodNotAllowed],
}).annotateMerge(
  about({
    summary: "A message of an agent",
    description:
      "The agents' MCP server over Streamable HTTP: the tools of the key's agent, and those of issues. Revision 2026-07-28 without sessions; the older ones begin a session by `initialize`, which the answer's `Mcp-Session-Id` names. Refusals of HTTP are problems, those of the protocol are JSON-RPC errors.",
    access: agent,
    servedHost: true,
  }),
);

const listen = HttpApiEndpoint.get("listen", "/mcp", {
  success: stream,
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "What the server says to a session",
    description:
      "Server-Sent Events of a session of the older revisions, such as changes of tools.",
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
    description: "A session of the older revisions.",
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
      description: "What agents may call, for hosts that speak MCP.",
    }),
  ) {}
