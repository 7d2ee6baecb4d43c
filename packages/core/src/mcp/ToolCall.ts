import { Schema } from "effect";
import { Timestamp } from "../Timestamp.ts";
import { ToolUnavailableReason } from "./McpErrors.ts";

/** A tool that an agent may use now. */
export const AgentTool = Schema.Struct({
  /** What calls take: `<server>__<tool>`, at most 64 characters. */
  name: Schema.String,
  /** The installed server's name. */
  server: Schema.String,
  /** The tool's name at its server. */
  tool: Schema.String,
  title: Schema.NullOr(Schema.String),
  description: Schema.NullOr(Schema.String),
  inputSchema: Schema.Record(Schema.String, Schema.Unknown),
  annotations: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)),
}).annotate({ identifier: "AgentTool" });
export interface AgentTool extends Schema.Schema.Type<typeof AgentTool> {}

export const AgentToolList = Schema.Struct({
  /** Equal exactly when the list is equal. */
  revision: Schema.String,
  tools: Schema.Array(AgentTool),
}).annotate({ identifier: "AgentToolList" });
export interface AgentToolList extends Schema.Schema.Type<typeof AgentToolList> {}

export const ToolCallRequest = Schema.Struct({
  name: Schema.String,
  arguments: Schema.optionalKey(Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown))),
}).annotate({ identifier: "ToolCallRequest" });
export interface ToolCallRequest extends Schema.Schema.Type<typeof ToolCallRequest> {}

/** The result of a tool call, as MCP has it. */
export const ToolCallResult = Schema.Struct({
  content: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)),
  structuredContent: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)),
  isError: Schema.Boolean,
}).annotate({ identifier: "ToolCallResult" });
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
  id: Schema.String,
  agentId: Schema.String,
  /** Null for a tool that is not there. */
  serverId: Schema.NullOr(Schema.String),
  tool: Schema.String,
  startedAt: Timestamp,
  durationMs: Schema.Int,
  outcome: CallOutcome,
  requestBytes: Schema.Int,
  responseBytes: Schema.Int,
}).annotate({ identifier: "ToolCall" });
export interface ToolCall extends Schema.Schema.Type<typeof ToolCall> {}

/** A record as storage keeps it; `seq` is its place in the order of recording, given by the storage. */
export interface ToolCallRow extends ToolCall {
  readonly seq: number;
}
