import { Schema } from "effect";
import { HostId, ServiceId } from "../Id.ts";
import * as Text from "../Text.ts";
import { commaList } from "../Text.ts";
import { Timestamp, TimestampInput } from "../Timestamp.ts";
import { unavailable } from "./McpErrors.ts";

/** A tool that an agent may use now. */
export const AgentTool = Schema.Struct({
  name: Schema.String.annotateKey({
    description: "The name for calls: `<server>__<tool>`, at most 64 characters.",
  }),
  server: Schema.String.annotateKey({ description: "The installed server's name." }),
  tool: Schema.String.annotateKey({ description: "The server's own name of the tool." }),
  title: Schema.NullOr(Schema.String).annotateKey({
    description: "The display name; null if there is none.",
  }),
  description: Schema.NullOr(Schema.String).annotateKey({
    description: "A description of the tool; null if the server has none.",
  }),
  inputSchema: Schema.Record(Schema.String, Schema.Unknown).annotateKey({
    description: "JSON Schema of the tool's arguments.",
  }),
  annotations: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)).annotateKey({
    description:
      "The server's hints about the behavior of the tool, as MCP defines them; null if there are none.",
  }),
}).annotate({ identifier: "AgentTool", description: "A tool that an agent may use now." });
export interface AgentTool extends Schema.Schema.Type<typeof AgentTool> {}

/** Filters of the list of an agent's tools. */
export const ToolFilter = Schema.Struct({
  q: Schema.optionalKey(Text.between(1, 1_000)).annotateKey({
    description:
      "Only tools with a word of this text in name, title or description, best match first. 1 to 1,000 characters.",
  }),
  limit: Schema.optionalKey(
    Schema.Int.check(
      Schema.isBetween({ minimum: 1, maximum: 500 }, { expected: "a whole number from 1 to 500" }),
    ),
  ).annotateKey({
    description: "The largest number of tools, 1 to 500. Default: all.",
    contentSchema: { type: "integer", minimum: 1, maximum: 500 },
  }),
});
export interface ToolFilter extends Schema.Schema.Type<typeof ToolFilter> {}

export const AgentToolList = Schema.Struct({
  revision: Schema.String.annotateKey({
    description: "Changes exactly when the agent's tools change, whatever the filter.",
  }),
  tokens: Schema.Int.annotateKey({
    description:
      "Estimated tokens that the definitions of all tools cost the agent's model, whatever the filter.",
  }),
  tools: Schema.Array(AgentTool).annotateKey({
    description:
      "The tools of all enabled servers that the agent has access to; with a filter, the matching tools.",
  }),
}).annotate({ identifier: "AgentToolList", description: "The tools that an agent may use now." });
export interface AgentToolList extends Schema.Schema.Type<typeof AgentToolList> {}

export const ToolCallRequest = Schema.Struct({
  name: Schema.String.annotateKey({ description: "The name of the tool in the agent's list." }),
  arguments: Schema.optionalKey(
    Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)),
  ).annotateKey({ description: "Arguments that match the tool's input schema. Default: none." }),
}).annotate({
  identifier: "ToolCallRequest",
  description: "The body of a request that calls a tool.",
});
export interface ToolCallRequest extends Schema.Schema.Type<typeof ToolCallRequest> {}

/** The result of a tool call, as MCP defines it. */
export const ToolCallResult = Schema.Struct({
  content: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)).annotateKey({
    description: "Content blocks, as MCP defines them.",
  }),
  structuredContent: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)).annotateKey({
    description: "The result as an object; null if there is none.",
  }),
  isError: Schema.Boolean.annotateKey({ description: "Whether the tool reported an error." }),
  _meta: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)).annotateKey({
    description:
      "Members of the protocol; `quartermaster/replayed` names the call and the time of a recorded result. Missing if there is none.",
  }),
}).annotate({ identifier: "ToolCallResult", description: "The result of a tool call." });
export interface ToolCallResult extends Schema.Schema.Type<typeof ToolCallResult> {}

/**
 * `ok`; `error` if the tool or its server reported an error; `cancelled`; the reason why the call could
 * not be made; `lost` if its node stopped during the call; `refused` if its run or its effect does not permit it; or
 * `replayed` for a result of an earlier call.
 */
export const CallOutcome = Schema.Literals([
  "ok",
  "error",
  "cancelled",
  ...unavailable,
  "lost",
  "refused",
  "replayed",
]);
export type CallOutcome = typeof CallOutcome.Type;

/** Outcomes of failed calls. */
export const failed: ReadonlyArray<CallOutcome> = CallOutcome.literals.filter(
  (outcome) => outcome !== "ok" && outcome !== "replayed",
);

/** Filters of records of calls. */
export const CallFilter = Schema.Struct({
  agentId: Schema.optionalKey(HostId).annotateKey({ description: "Only calls of this agent." }),
  serverId: Schema.optionalKey(ServiceId).annotateKey({
    description: "Only calls of this installed server's tools.",
  }),
  tool: Schema.optionalKey(Schema.String).annotateKey({
    description: "Only calls of tools with this name, which is the server's own.",
  }),
  outcome: Schema.optionalKey(
    commaList("outcomes", [...CallOutcome.literals, "failed" as const]),
  ).pipe(
    Schema.annotateEncoded({
      description:
        "Only calls with one of these outcomes, separated by commas. `failed` is every outcome but `ok` and `replayed`.",
    }),
  ),
  runId: Schema.optionalKey(ServiceId).annotateKey({ description: "Only calls for this run." }),
  issueId: Schema.optionalKey(ServiceId).annotateKey({
    description: "Only calls for runs of this issue.",
  }),
  from: Schema.optionalKey(TimestampInput).pipe(
    Schema.annotateEncoded({ description: "Only calls that started at this time or later." }),
  ),
  to: Schema.optionalKey(TimestampInput).pipe(
    Schema.annotateEncoded({ description: "Only calls that started before this time." }),
  ),
});
export interface CallFilter extends Schema.Schema.Type<typeof CallFilter> {}

/** The parts of a call that its record contains. */
export const Recorded = Schema.Literals(["none", "errors", "all"]);
export type Recorded = typeof Recorded.Type;

/** The record of a call, without its arguments and result. */
export const ToolCall = Schema.Struct({
  id: ServiceId.annotateKey({ description: "The call's id." }),
  agentId: Schema.String.annotateKey({ description: "The agent that called the tool." }),
  runId: Schema.NullOr(Schema.String).annotateKey({
    description: "The run that the call acted for; null for none.",
  }),
  issueId: Schema.NullOr(Schema.String).annotateKey({
    description: "The issue of the run; null without a run.",
  }),
  projectId: Schema.NullOr(Schema.String).annotateKey({
    description: "The project of the issue; null without a run.",
  }),
  keyId: Schema.NullOr(Schema.String).annotateKey({
    description: "The key of the request; null for a call by the host itself.",
  }),
  worker: Schema.NullOr(Schema.String).annotateKey({
    description: "The process that sent the request; null if unknown.",
  }),
  serverId: Schema.NullOr(Schema.String).annotateKey({
    description: "The installed server; null for an unknown tool.",
  }),
  server: Schema.NullOr(Schema.String).annotateKey({
    description: "The server's name at the time of the call; null for an unknown tool.",
  }),
  tool: Schema.String.annotateKey({
    description:
      "The server's own name of the tool; for an unknown tool, the name that the agent called; `resources/read` for a resource.",
  }),
  toolDigest: Schema.NullOr(Schema.String).annotateKey({
    description: "SHA-256 of the accepted definition of the tool; null if there is none.",
  }),
  startedAt: Timestamp.annotateKey({ description: "When the call started." }),
  durationMs: Schema.NullOr(Schema.Int).annotateKey({
    description: "The duration in milliseconds; null while the call is in flight.",
  }),
  outcome: Schema.NullOr(CallOutcome).annotateKey({
    description:
      "`ok`; `error` if the tool or its server reported an error; `cancelled`; the reason why the call could not be made; `lost` if the node stopped during the call; `refused` because of its run or its effect; `replayed` for the result of an earlier call. Null while the call is in flight.",
  }),
  error: Schema.NullOr(Schema.String).annotateKey({
    description:
      "The text of the failure without the server's secrets, at most 2 KiB; null for `ok`, and if it was not recorded or the caller may not read it.",
  }),
  requestBytes: Schema.Int.annotateKey({
    description: "The size of the arguments as JSON, in bytes.",
  }),
  responseBytes: Schema.Int.annotateKey({
    description: "The size of the result as JSON, in bytes.",
  }),
  recorded: Recorded.annotateKey({
    description:
      "The recorded parts: `none` for outcomes only, `errors` for texts of errors too, `all` for arguments and result too.",
  }),
}).annotate({
  identifier: "ToolCall",
  description: "The record of a tool call, without its arguments and result.",
});
export interface ToolCall extends Schema.Schema.Type<typeof ToolCall> {}

const recordedPart = (description: string) =>
  Schema.NullOr(
    Schema.Union([Schema.Record(Schema.String, Schema.Unknown), Schema.String]),
  ).annotateKey({ description });

/** The arguments and the result of a call. */
const recordedFields = {
  arguments: recordedPart(
    "The arguments without the server's secrets, up to 64 KiB as JSON; beyond that, the start of the JSON as text. Null if they were not recorded, and for a call that was not sent.",
  ),
  result: recordedPart(
    "The result without the server's secrets, up to 64 KiB as JSON; beyond that, the start of the JSON as text. Null if there is none or it was not recorded.",
  ),
  truncated: Schema.Boolean.annotateKey({
    description: "Whether `arguments` or `result` is only the start of the JSON.",
  }),
};

export interface RecordedBody extends Schema.Schema.Type<Schema.Struct<typeof recordedFields>> {}

/** The record of a call with its arguments and result. */
export const ToolCallDetails = Schema.Struct({
  ...ToolCall.fields,
  ...recordedFields,
}).annotate({
  identifier: "ToolCallDetails",
  description: "The record of a tool call, with its arguments and result if they were recorded.",
});
export interface ToolCallDetails extends Schema.Schema.Type<typeof ToolCallDetails> {}

/** The record of a call that has ended. */
export interface EndedCall extends ToolCall {
  readonly durationMs: number;
  readonly outcome: CallOutcome;
}

/**
 * The stored form of a record. The storage assigns `seq`, its position in the order of recording.
 */
export interface ToolCallRow extends EndedCall {
  readonly seq: number;
}

/** A call that was admitted and whose end is not stored. */
export interface AdmittedCall extends ToolCall {
  /**
   * The time until which its node vouches for it. After that the call is lost: the node stopped, or
   * cancelled it before.
   */
  readonly until: Timestamp;
}

/** The stored form. The storage assigns `seq`, its position in the order of admission. */
export interface AdmittedCallRow extends AdmittedCall {
  readonly seq: number;
}

/** The record of a call that was lost. */
export const lost = ({ until, ...call }: AdmittedCall): EndedCall => ({
  ...call,
  durationMs: Math.max(0, Date.parse(until) - Date.parse(call.startedAt)),
  outcome: "lost",
  error:
    call.recorded === "none"
      ? null
      : "The node of the service stopped during the call. The server may have carried it out.",
});
