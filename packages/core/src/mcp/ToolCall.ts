import { Schema } from "effect";
import { Timestamp } from "../Timestamp.ts";
import { ToolUnavailableReason } from "./McpErrors.ts";

/** A tool that an agent may use now. */
export const AgentTool = Schema.Struct({
  name: Schema.String.annotateKey({
    description: "What calls name: `<server>__<tool>`, at most 64 characters.",
  }),
  server: Schema.String.annotateKey({ description: "The installed server's name." }),
  tool: Schema.String.annotateKey({ description: "The tool's name at its server." }),
  title: Schema.NullOr(Schema.String).annotateKey({
    description: "A title for people; null for none.",
  }),
  description: Schema.NullOr(Schema.String).annotateKey({
    description: "What the tool does; null if the server does not say.",
  }),
  inputSchema: Schema.Record(Schema.String, Schema.Unknown).annotateKey({
    description: "JSON Schema of the tool's arguments.",
  }),
  annotations: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)).annotateKey({
    description: "Hints of the server on the tool's behavior, as MCP defines them; null for none.",
  }),
}).annotate({ identifier: "AgentTool", description: "A tool that an agent may use now." });
export interface AgentTool extends Schema.Schema.Type<typeof AgentTool> {}

export const AgentToolList = Schema.Struct({
  revision: Schema.String.annotateKey({ description: "Changes exactly when the list changes." }),
  tokens: Schema.Int.annotateKey({
    description: "An estimate of what the tools cost the agent's model, when it gets all of them.",
  }),
  tools: Schema.Array(AgentTool).annotateKey({
    description: "The tools of all enabled servers that the agent has access to.",
  }),
}).annotate({ identifier: "AgentToolList", description: "The tools that an agent may use now." });
export interface AgentToolList extends Schema.Schema.Type<typeof AgentToolList> {}

export const ToolCallRequest = Schema.Struct({
  name: Schema.String.annotateKey({ description: "The tool's name, as the agent's list has it." }),
  arguments: Schema.optionalKey(
    Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)),
  ).annotateKey({ description: "Arguments by the tool's input schema. Default: none." }),
}).annotate({ identifier: "ToolCallRequest", description: "The body that calls a tool." });
export interface ToolCallRequest extends Schema.Schema.Type<typeof ToolCallRequest> {}

/** The result of a tool call, as MCP has it. */
export const ToolCallResult = Schema.Struct({
  content: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)).annotateKey({
    description: "Content blocks, as MCP defines them.",
  }),
  structuredContent: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)).annotateKey({
    description: "The result as an object; null for none.",
  }),
  isError: Schema.Boolean.annotateKey({ description: "Whether the tool failed." }),
}).annotate({ identifier: "ToolCallResult", description: "The result of a tool call." });
export interface ToolCallResult extends Schema.Schema.Type<typeof ToolCallResult> {}

/** `ok`, `error` (the tool said so, or its server), `cancelled`, or why the call could not be made. */
export const CallOutcome = Schema.Literals([
  "ok",
  "error",
  "cancelled",
  ...ToolUnavailableReason.literals,
]);
export type CallOutcome = typeof CallOutcome.Type;

/** The record of a call: neither its arguments nor its result. */
export const ToolCall = Schema.Struct({
  id: Schema.String.annotateKey({ description: "The record's id." }),
  agentId: Schema.String.annotateKey({ description: "The agent that called." }),
  serverId: Schema.NullOr(Schema.String).annotateKey({
    description: "The installed server; null if there was no such tool.",
  }),
  tool: Schema.String.annotateKey({
    description: "The tool's name at its server; the called name if there was no such tool.",
  }),
  startedAt: Timestamp.annotateKey({ description: "When the call started." }),
  durationMs: Schema.Int.annotateKey({ description: "In milliseconds." }),
  outcome: CallOutcome.annotateKey({
    description:
      "`ok`; `error`: the tool or its server reported an error; `cancelled`; or why the call could not be made.",
  }),
  requestBytes: Schema.Int.annotateKey({ description: "Size of the arguments as JSON." }),
  responseBytes: Schema.Int.annotateKey({ description: "Size of the result as JSON." }),
}).annotate({
  identifier: "ToolCall",
  description: "The record of a tool call, without its arguments and its result.",
});
export interface ToolCall extends Schema.Schema.Type<typeof ToolCall> {}

/** A record as storage keeps it; `seq` is its place in the order of recording, given by the storage. */
export interface ToolCallRow extends ToolCall {
  readonly seq: number;
}
