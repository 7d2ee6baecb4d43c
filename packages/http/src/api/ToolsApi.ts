import { Id, ToolCall } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, editor, management } from "./Access.ts";
import * as Problem from "./Problem.ts";
import { paging } from "./Query.ts";

const agent = {
  agentId: Id.HostId.annotateKey({ description: "The agent's id, chosen by the host." }),
};

const list = HttpApiEndpoint.get("list", "/api/agents/:agentId/tools", {
  params: agent,
  query: ToolCall.ToolFilter.fields,
  success: ToolCall.AgentToolList,
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "List an agent's tools",
    description:
      "Returns the tools of the enabled servers that the agent may use; with `q` the matching tools, best match first. `revision` changes exactly when the list changes.",
    access: { ...editor, only: "agent" },
  }),
);

const ToolCallRequest = Schema.Struct({
  ...ToolCall.ToolCallRequest.fields,
  runId: Schema.optionalKey(Id.ServiceId).annotateKey({
    description:
      "The run that the call acts for. Default: the run of `Quartermaster-Run`, or none.",
  }),
}).annotate({ identifier: "ToolCallRequest", description: "The body that calls a tool." });

const call = HttpApiEndpoint.post("call", "/api/agents/:agentId/tools/call", {
  params: agent,
  payload: ToolCallRequest.annotate({
    examples: [{ name: "time__get_current_time", arguments: { timezone: "Europe/Zurich" } }],
  }),
  success: ToolCall.ToolCallResult,
  error: [Problem.NotFound, Problem.ToolUnavailable],
}).annotateMerge(
  about({
    summary: "Call a tool",
    description:
      "Calls the tool once; the service never repeats a call. If the tool reports an error, returns 200 with `isError`. Closing the connection cancels the call. After 5 s without a result, spaces precede the object, and a refusal is a result with `isError`.",
    access: { ...editor, only: "agent" },
  }),
);

const calls = HttpApiEndpoint.get("calls", "/api/mcp/calls", {
  query: {
    ...paging,
    agentId: Schema.optionalKey(Id.HostId).annotateKey({
      description: "Only calls of this agent.",
    }),
    serverId: Schema.optionalKey(Id.ServiceId).annotateKey({
      description: "Only calls of this installed server's tools.",
    }),
  },
  success: Schema.Array(ToolCall.ToolCall),
}).annotateMerge(
  about({
    summary: "List tool calls",
    description:
      "Returns calls, newest first by default; paged. The records contain neither arguments nor results.",
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
      description: "Tools that agents may call, and the record of their calls.",
    }),
  ) {}
