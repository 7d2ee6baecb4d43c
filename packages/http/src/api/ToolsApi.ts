import { Id, Input, ToolCall } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, editor, management, viewer } from "./Access.ts";
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
  runId: Input.optional(Id.ServiceId, {
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
  error: [Problem.NotFound, Problem.ToolUnavailable, Problem.IdempotencyMismatch],
}).annotateMerge(
  about({
    summary: "Call a tool",
    description:
      "Calls the tool once; the service never repeats a call. If the tool reports an error, returns 200 with `isError`. Closing the connection cancels the call. After 5 s without a result, spaces precede the object, and a refusal is a result with `isError`.",
    access: { ...editor, only: "agent" },
  }),
);

const calls = HttpApiEndpoint.get("calls", "/api/mcp/calls", {
  query: { ...paging, ...ToolCall.CallFilter.fields },
  success: Schema.Array(ToolCall.ToolCall),
}).annotateMerge(
  about({
    summary: "List tool calls",
    description:
      "Returns calls, newest first by default; paged. Calls in flight are the newest and have neither `outcome` nor `durationMs`.",
    access: management,
  }),
);

const record = HttpApiEndpoint.get("record", "/api/mcp/calls/:callId", {
  params: {
    callId: Id.ServiceId.annotateKey({ description: "The call's id, which starts with `call_`." }),
  },
  success: ToolCall.ToolCallDetails,
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "Get a tool call",
    description: "Returns the record of a call.",
    access: management,
  }),
);

const callsOfRun = HttpApiEndpoint.get("callsOfRun", "/api/agents/:agentId/runs/:runId/calls", {
  params: {
    ...agent,
    runId: Id.ServiceId.annotateKey({ description: "The run's id." }),
  },
  query: paging,
  success: Schema.Array(ToolCall.ToolCall),
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "List a run's tool calls",
    description:
      "Returns the calls that acted for the run, newest first by default; paged. Viewers of the issue's project see outcomes, and `error` is null for them. No agent's key reads the calls of another agent.",
    access: viewer,
  }),
);

/** The tools of agents, and their calls. */
export class ToolsApi extends HttpApiGroup.make("tools")
  .add(list, call, calls, record, callsOfRun)
  .middleware(Conventions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Tools",
      description: "Tools that agents may call, and the record of their calls.",
    }),
  ) {}
