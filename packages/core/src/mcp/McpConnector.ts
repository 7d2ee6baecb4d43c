import { Context, type Effect, type Redacted, Schema, type Scope, type Stream } from "effect";
import type { Program } from "./ProcessSpawner.ts";

/** How to reach a server, with all values filled in. It must not outlive the scope of the connection. */
export type Target =
  | ({ readonly transport: "stdio" } & Program)
  | {
      readonly transport: "http" | "sse";
      readonly url: Redacted.Redacted<string>;
      readonly headers: Readonly<Record<string, Redacted.Redacted<string>>>;
    };

/** A server could not be reached, or a call failed. */
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
  /** One sentence for people, with the first and last lines of stderr where there are any. */
  message: Schema.String,
  /** Whether the request may have reached the server. */
  sent: Schema.Boolean,
  /** With `insufficientScope`: the scopes that the server requires, separated by spaces. */
  scope: Schema.optional(Schema.String),
  /** With `tooLarge`: the size of the response, if it is known. */
  bytes: Schema.optional(Schema.Int),
  /** How long a remote server that limits requests asks to wait, in seconds. */
  retryAfterSeconds: Schema.optional(Schema.Int),
}) {}

/** A server's JSON-RPC error. */
export class RpcError extends Schema.TaggedError<RpcError>()("RpcError", {
  code: Schema.Int,
  message: Schema.String,
  /** What the server says about it in addition. */
  data: Schema.optional(Schema.Unknown),
}) {}

/** The result of a tool call, as MCP defines it. All properties are retained. */
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

export interface ReadOptions {
  readonly timeoutMillis: number;
  /**
   * The largest result that is of use, in bytes of its JSON. A connector may refuse a larger one unread, with
   * `tooLarge`. Omitted: what the connector allows at least.
   */
  readonly maxResultBytes?: number | undefined;
}

export interface CallOptions extends ReadOptions {
  /** Runs on each progress notification. Each one extends the deadline. */
  readonly onProgress?: ((progress: Progress) => Effect.Effect<void>) | undefined;
}

/** What a server says of itself when a connection is opened. */
export interface Greeting {
  /** Whether it has resources or templates of resources. */
  readonly hasResources: boolean;
  /** What it tells models about its tools; null for nothing. */
  readonly instructions: string | null;
}

/** What a server lists of its resources: each one, or templates of their URIs (RFC 6570). */
export type ResourceKind = "resources" | "resourceTemplates";

/** A live connection to a server. */
export interface Connection {
  readonly greeting: Greeting;
  /** Time from the start of the connection to the response to `initialize`. */
  readonly connectMillis: number;
  /** Lists all tools, of all pages, in the server's order, as the server sent them. */
  readonly listTools: Effect.Effect<ReadonlyArray<unknown>, ConnectorError>;
  /**
   * Calls a tool, and returns the result as the server sent it, which core judges. Interruption cancels the call at
   * the server.
   */
  callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: CallOptions,
  ): Effect.Effect<ToolResult, ConnectorError | RpcError>;
  /** Lists all of them, of all pages, as the server sent them; none if the server has no such list. */
  listResources(kind: ResourceKind): Effect.Effect<ReadonlyArray<unknown>, ConnectorError>;
  /** Reads a resource, and returns the result as the server sent it, which core judges. */
  readResource(
    uri: string,
    options: ReadOptions,
  ): Effect.Effect<unknown, ConnectorError | RpcError>;
  /** Change notifications: coalesced, and replayed to late subscribers. */
  readonly toolsChanged: Stream.Stream<void>;
  /** Change notifications of either list of resources, likewise. */
  readonly resourcesChanged: Stream.Stream<void>;
  /** Completes when the connection is lost, with the reason. */
  readonly closed: Effect.Effect<ConnectorError>;
}

/** Port: the client of MCP servers. */
export class McpConnector extends Context.Service<
  McpConnector,
  {
    /**
     * Opens a connection that lives as long as the scope. A stdio server is a new process. When the
     * scope closes, the process and its children are stopped.
     */
    connect(
      target: Target,
      options: { readonly timeoutMillis: number },
    ): Effect.Effect<Connection, ConnectorError, Scope.Scope>;
  }
>()("@quartermaster/core/mcp/McpConnector") {}
