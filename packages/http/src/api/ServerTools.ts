import { Id, Tool } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint } from "effect/http-api";
import { about, management } from "./Access.ts";
import * as Problem from "./Problem.ts";

/** Endpoints for the tools of an installed server and the decisions of Admins about them. */

export const path = "/api/mcp/installed";

export const params = {
  serverId: Id.ServiceId.annotateKey({ description: "The installed server's id." }),
};

export const tools = HttpApiEndpoint.get("tools", `${path}/:serverId/tools`, {
  params,
  success: Schema.Array(Tool.ServerTool),
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "List a server's tools",
    description:
      "Returns each tool with its accepted definition and the definition that the server listed last. A changed or new tool is withheld until it is accepted.",
    access: management,
  }),
);

export const acceptTools = HttpApiEndpoint.post("acceptTools", `${path}/:serverId/tools/accept`, {
  params,
  payload: Tool.ToolAcceptance.annotate({
    examples: [{ tools: [{ name: "search", digest: "9f86d081884c7d65..." }] }],
  }),
  success: Schema.Array(Tool.ServerTool),
  error: [Problem.NotFound, Problem.PreconditionFailed],
}).annotateMerge(
  about({
    summary: "Accept tools",
    description:
      "Accepts the definitions with these digests. If a digest is no longer current, accepts nothing and responds with 412, whose `names` lists the tools that differ. A blocked tool stays blocked; a tool that the server no longer lists is removed. Returns the server's tools.",
    access: management,
  }),
);

export const blockTools = HttpApiEndpoint.post("blockTools", `${path}/:serverId/tools/block`, {
  params,
  payload: Tool.ToolNames.annotate({ examples: [{ names: ["delete_everything"] }] }),
  success: Schema.Array(Tool.ServerTool),
  error: [Problem.NotFound, Problem.LimitExceeded],
}).annotateMerge(
  about({
    summary: "Block tools",
    description:
      "Withholds the tools from every agent until they are unblocked. The names may include tools that the server has not listed yet. Cancels calls in flight. Returns the server's tools.",
    access: management,
  }),
);

export const unblockTools = HttpApiEndpoint.post(
  "unblockTools",
  `${path}/:serverId/tools/unblock`,
  {
    params,
    payload: Tool.ToolNames.annotate({ examples: [{ names: ["delete_everything"] }] }),
    success: Schema.Array(Tool.ServerTool),
    error: [Problem.NotFound, Problem.LimitExceeded],
  },
).annotateMerge(
  about({
    summary: "Unblock tools",
    description:
      "Each tool returns to the state of its definition: accepted, changed, new or invalid. Returns the server's tools.",
    access: management,
  }),
);
