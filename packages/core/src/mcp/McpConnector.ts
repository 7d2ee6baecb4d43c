import { Context, type Effect, type Redacted, Schema, type Scope, type Stream } from "effect";
import type { Program } from "./ProcessSpawner.ts";

/**
 * The address and settings of a server, with all values filled in. It must not outlive the scope of
 * the connection.
 */
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
    "otherNode",
  ]),
  /** One sentence for people, with the first and last lines of stderr if there are any. */
  message: Schema.String,
  /** Whether the request may have reached the server. */
  sent: Schema.Boolean,
  /** The HTTP status of the response to the request, if there was one. */
  status: Schema.optional(Schema.Int),
  /** With `insufficientScope`: the scopes that the server requires, separated by spaces. */
  scope: Schema.optional(Schema.String),
  /** With `tooLarge`: the size of the response, if it is known. */
  bytes: Schema.optional(Schema.Int),
  /** The delay that a remote server with a rate limit asks for, in seconds. */
  retryAfterSeconds: Schema.optional(Schema.Int),
}) {}

/** A server's JSON-RPC error. */
export class RpcError extends Schema.TaggedError<RpcError>()("RpcError", {
  code: Schema.Int,
  message: Schema.String,
  /** Additional data of the error. */
  data: Schema.optional(Schema.Unknown),
}) {}

/** The result of a tool call, as MCP defines it. All properties are retained. */
export interface ToolResult {
  readonly content: ReadonlyArray<Readonly<Record<string, unknown>>>;
  readonly structuredContent?: Readonly<Record<string, unknown>> | undefined;
  readonly isError?: boolean | undefined;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

export interface ReadOptions {
  readonly timeoutMillis: number;
  /**
   * The largest useful result, in bytes of its JSON. A connector may reject a larger one unread,
   * with `tooLarge`. Omitted: the connector's own limit.
   */
  readonly maxResultBytes?: number | undefined;
  /** `_meta` of the request. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

export interface CallOptions extends ReadOptions {
  /** Runs on each progress notification, which also extends the deadline. */
  readonly onProgress?: ((progress: Progress) => Effect.Effect<void>) | undefined;
}

/** A server's information about itself when a connection is opened. */
export interface Greeting {
  /** Whether it has resources or resource templates. */
  readonly hasResources: boolean;
  /** Its instructions to models about its tools; null for none. */
  readonly instructions: string | null;
}

/** The lists of a server's resources: single resources, or templates of their URIs (RFC 6570). */
export type ResourceKind = "resources" | "resourceTemplates";

/** A request for values of an argument. */
export interface Completion {
  /** The prompt, or the template of resources. */
  readonly ref:
    | { readonly type: "ref/prompt"; readonly name: string }
    | { readonly type: "ref/resource"; readonly uri: string };
  readonly argument: { readonly name: string; readonly value: string };
  /** The arguments that already have values. */
  readonly context?: { readonly arguments?: Readonly<Record<string, string>> } | undefined;
}

/** A live connection to a server. */
export interface Connection {
  readonly greeting: Greeting;
  /** Time from the start of the connection to the response to `initialize`. */
  readonly connectMillis: number;
  /** Lists all tools, from all pages, in the server's order and form. */
  readonly listTools: Effect.Effect<ReadonlyArray<unknown>, ConnectorError>;
  /**
   * Calls a tool, and returns the result in the server's form, which core checks. Interruption
   * cancels the call at the server.
   */
  callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: CallOptions,
  ): Effect.Effect<ToolResult, ConnectorError | RpcError>;
  /**
   * Lists all of them, from all pages, in the server's form; none if the server has no such list.
   */
  listResources(kind: ResourceKind): Effect.Effect<ReadonlyArray<unknown>, ConnectorError>;
  /** Reads a resource, and returns the result in the server's form, which core checks. */
  readResource(
    uri: string,
    options: ReadOptions,
  ): Effect.Effect<unknown, ConnectorError | RpcError>;
  /** Lists all prompts like `listTools`; none if the server has no such list. */
  readonly listPrompts: Effect.Effect<ReadonlyArray<unknown>, ConnectorError>;
  /** Returns the messages of a prompt in the server's form, which core checks. */
  getPrompt(
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: ReadOptions,
  ): Effect.Effect<unknown, ConnectorError | RpcError>;
  /** Completes an argument, in the server's form; nothing if the server completes none. */
  complete(
    completion: Completion,
    options: ReadOptions,
  ): Effect.Effect<unknown, ConnectorError | RpcError>;
  /** Changes in the list of tools or of prompts: coalesced, and replayed to late subscribers. */
  readonly toolsChanged: Stream.Stream<void>;
  /** Notifications of changes in either list of resources, likewise. */
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
