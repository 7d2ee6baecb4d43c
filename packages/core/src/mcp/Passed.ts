import { Schema } from "effect";
import { ConnectorError, RpcError } from "./McpConnector.ts";
import { ToolUnavailable } from "./McpErrors.ts";

/** Requests that a node passes on to the node which runs a server. All of it is JSON. */

const Members = Schema.Record(Schema.String, Schema.Unknown);

/** The limits of a request, which the node that runs the server applies. */
const limits = {
  timeoutMillis: Schema.Finite,
  maxMillis: Schema.Finite,
  maxResultBytes: Schema.Finite,
  meta: Schema.optional(Members),
};

const Completion = Schema.Struct({
  ref: Schema.Union([
    Schema.Struct({ type: Schema.Literal("ref/prompt"), name: Schema.String }),
    Schema.Struct({ type: Schema.Literal("ref/resource"), uri: Schema.String }),
  ]),
  argument: Schema.Struct({ name: Schema.String, value: Schema.String }),
  context: Schema.optional(
    Schema.Struct({ arguments: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)) }),
  ),
});

/** A request to the server. Names of tools and prompts, and URIs, are the server's own. */
export const Action = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("listTools") }),
  Schema.Struct({
    kind: Schema.Literal("callTool"),
    name: Schema.String,
    args: Members,
    ...limits,
  }),
  Schema.Struct({
    kind: Schema.Literal("listResources"),
    resources: Schema.Literals(["resources", "resourceTemplates"]),
  }),
  Schema.Struct({ kind: Schema.Literal("readResource"), uri: Schema.String, ...limits }),
  Schema.Struct({
    kind: Schema.Literal("getPrompt"),
    name: Schema.String,
    args: Members,
    ...limits,
  }),
  Schema.Struct({ kind: Schema.Literal("complete"), completion: Completion, ...limits }),
]);
export type Action = typeof Action.Type;

export const Request = Schema.Struct({
  /** The node that has to run the server. Every other node refuses the request. */
  nodeId: Schema.String,
  serverId: Schema.String,
  generation: Schema.Int,
  /** The agent and the run that the request acts for, which that node judges again. */
  agentId: Schema.NullOr(Schema.String),
  runId: Schema.NullOr(Schema.String),
  action: Action,
});
export interface Request extends Schema.Schema.Type<typeof Request> {}

/** The response of the server, checked and without its secrets. */
export interface Response {
  readonly result: unknown;
  /** Whether the service replaced the result: see `GuardedConnection`. */
  readonly isReplaced: boolean;
}

export const Failure = Schema.Union([ConnectorError, RpcError, ToolUnavailable]);
export type Failure = typeof Failure.Type;

/** The failure of a request that did not reach the process: another node may run it by now. */
export const elsewhere = (message: string): ConnectorError =>
  new ConnectorError({ reason: "otherNode", message, sent: false });
