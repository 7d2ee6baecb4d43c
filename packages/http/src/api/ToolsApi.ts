import { Id, ToolCall } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, editor, management } from "./Access.ts";
import * as Problem from "./Problem.ts";
import { paging } from "./Query.ts";

const agent = { agentId: Id.HostId };

const list = HttpApiEndpoint.get("list", "/api/agents/:agentId/tools", {
  params: agent,
  success: ToolCall.AgentToolList,
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "The tools an agent may use now",
    description:
      "Of the servers that are enabled and granted to it. `revision` is equal exactly when the list is.",
    access: { ...editor, only: "agent" },
  }),
);

const call = HttpApiEndpoint.post("call", "/api/agents/:agentId/tools/call", {
  params: agent,
  payload: ToolCall.ToolCallRequest.annotate({
    examples: [{ name: "time__get_current_time", arguments: { timezone: "Europe/Zurich" } }],
  }),
  success: ToolCall.ToolCallResult,
  error: [Problem.NotFound, Problem.ToolUnavailable],
}).annotateMerge(
  about({
    summary: "Call a tool",
    description:
      "Once: it is never repeated by itself. An error of the tool is answered 200 with `isError`. Who hangs up cancels the call.",
    access: { ...editor, only: "agent" },
  }),
);

const calls = HttpApiEndpoint.get("calls", "/api/mcp/calls", {
  query: {
    ...paging,
    agentId: Schema.optionalKey(Id.HostId.annotate({ description: "Calls of this agent alone." })),
    serverId: Schema.optionalKey(
      Id.ServiceId.annotate({ description: "Calls of this installed server's tools alone." }),
    ),
  },
  success: Schema.Array(ToolCall.ToolCall),
}).annotateMerge(
  about({
    summary: "The record of tool calls",
    description:
      "Newest first unless `order` says otherwise; paged. Neither arguments nor results are kept.",
    access: management,
  }),
);

/** The tools of agents, and their calls. */
export class ToolsApi extends HttpApiGroup.make("tools")
  .add(list, call, calls)
  .middleware(Conventions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Tools",
      description: "What agents may call, and what they have called.",
    }),
  ) {}
