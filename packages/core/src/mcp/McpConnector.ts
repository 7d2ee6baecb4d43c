import { Context, type Effect, type Redacted, Schema, type Scope, type Stream } from "effect";
import type { ToolDefinition } from "./Tool.ts";

/** How a server is reached: everything filled in. It exists only inside the scope that opens the connection. */
export type Target =
  | {
      readonly transport: "stdio";
      readonly command: string;
      readonly args: ReadonlyArray<Redacted.Redacted<string>>;
      /** Its own variables, besides the minimal environment. */
      readonly env: Readonly<Record<string, Redacted.Redacted<string>>>;
      /** Its own folder: its home and working directory, with its temporary files in it. */
      readonly folder: string;
    }
  | {
      readonly transport: "http" | "sse";
      readonly url: Redacted.Redacted<string>;
      readonly headers: Readonly<Record<string, Redacted.Redacted<string>>>;
    };

/** Why a server could not be reached, or a call could not be made. */
export class ConnectorError extends Schema.TaggedError<ConnectorError>()("ConnectorError", {
  reason: Schema.Literals([
    "runtimeMissing",
    "prepareFailed",
    "spawnFailed",
    "exited",
    "timeout",
    "notMcp",
    "httpStatus",
    "unauthorized",
    "insufficientScope",
    "unreachable",
    "redirected",
    "tooLarge",
    "listFailed",
    "closed",
    "badVariables",
  ]),
  /** One sentence for people, with the last lines of stderr where there are any. */
  message: Schema.String,
  /** Whether the request may have reached the server. */
  sent: Schema.Boolean,
  /** With `insufficientScope`: the rights that the server wants, separated by spaces. */
  scope: Schema.optional(Schema.String),
}) {}

/** A server's JSON-RPC error. */
export class RpcError extends Schema.TaggedError<RpcError>()("RpcError", {
  code: Schema.Int,
  message: Schema.String,
}) {}

/** The result of a tool call, as MCP has it; every property is kept. */
export interface ToolResult {
  readonly content: ReadonlyArray<Readonly<Record<string, unknown>>>;
  readonly structuredContent?: Readonly<Record<string, unknown>> | undefined;
  readonly isError?: boolean | undefined;
}

export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

export interface CallOptions {
  readonly timeoutMillis: number;
  /** Told of each progress; each extends the deadline. */
  readonly onProgress?: ((progress: Progress) => Effect.Effect<void>) | undefined;
}

/** A live connection to a server. */
export interface Connection {
  /** From the start of the connecting to the server's answer. */
  readonly connectMillis: number;
  /** All of its tools, all pages, in its order. */
  readonly listTools: Effect.Effect<ReadonlyArray<ToolDefinition>, ConnectorError>;
  /** Interruption cancels the call at the server. */
  callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: CallOptions,
  ): Effect.Effect<ToolResult, ConnectorError | RpcError>;
  /** An element each time the server says that its tools have changed, also before it is read. */
  readonly toolsChanged: Stream.Stream<void>;
  /** Ends when the connection is of no use any more, with the reason. */
  readonly closed: Effect.Effect<ConnectorError>;
}

/** Port: how MCP servers are spoken to. */
export class McpConnector extends Context.Service<
  McpConnector,
  {
    /**
     * Opens a connection that lives as long as the scope; a process is started for it with
     * everything it starts, and all of it is ended with the scope.
     */
    connect(
      target: Target,
      options: { readonly timeoutMillis: number },
    ): Effect.Effect<Connection, ConnectorError, Scope.Scope>;
  }
>()("@quartermaster/core/mcp/McpConnector") {}
