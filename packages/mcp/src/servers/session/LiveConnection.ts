import type { RequestOptions } from "@modelcontextprotocol/client";
import { McpConnector, type Tool } from "@quartermaster/core";
import { type Cause, Effect, Predicate, PubSub, Queue, type Scope, Stream } from "effect";
import * as Failure from "./Failure.ts";
import * as ListPages from "./ListPages.ts";
import { type List, lists, type ListEvents, type Session } from "./Session.ts";

const { ConnectorError } = McpConnector;
type ConnectorError = McpConnector.ConnectorError;
type RpcError = McpConnector.RpcError;

/**
 * The maximum number of progress notifications buffered for a slow listener. Older ones are
 * dropped.
 */
const maxProgress = 256;

/** The parts of a connection that depend on its transport. */
export interface Options {
  readonly connectMillis: number;
  readonly timeoutMillis: number;
  /** Runs a request on the session, or on a new session if the server forgot the first one. */
  readonly use: <A>(
    f: (session: Session) => Effect.Effect<A, unknown>,
  ) => Effect.Effect<A, ConnectorError | RpcError>;
  readonly explain: (
    reason: ConnectorError["reason"],
    message: string,
    sent: boolean,
  ) => ConnectorError;
  /** Called before each request with the largest size of its result, in bytes. */
  readonly expectResult?: (bytes: number) => void;
  readonly closed: Effect.Effect<ConnectorError>;
  readonly greeting: McpConnector.Greeting;
  readonly changes: Changes;
  /** Called with the tool definitions of each listing. */
  readonly onList?: (tools: ReadonlyArray<unknown>) => void;
}

/** Change notifications. They are coalesced and replayed to late subscribers. */
export interface Changes extends ListEvents {
  readonly tools: Stream.Stream<void>;
  readonly resources: Stream.Stream<void>;
}

const latest = Effect.acquireRelease(
  PubSub.sliding<void>({ capacity: 1, replay: 1 }),
  PubSub.shutdown,
);

export const changes: Effect.Effect<Changes, never, Scope.Scope> = Effect.gen(function* () {
  const tools = yield* latest;
  const resources = yield* latest;
  return {
    tools: Stream.fromPubSub(tools),
    resources: Stream.fromPubSub(resources),
    onToolsChanged: () => PubSub.publishUnsafe(tools, undefined),
    onResourcesChanged: () => PubSub.publishUnsafe(resources, undefined),
  };
});

/** The server's information from the handshake. */
export const greetingOf = ({ client }: Session): McpConnector.Greeting => ({
  hasResources: client.getServerCapabilities()?.resources !== undefined,
  instructions: client.getInstructions() ?? null,
});

const isDefinition = (value: unknown): value is Tool.ToolDefinition =>
  Predicate.isReadonlyObject(value) && typeof value["name"] === "string";

/** Many servers have resources but no templates, or the reverse; some announce prompts and have none. */
const isUnknownMethod = (error: ConnectorError | RpcError) =>
  error._tag === "RpcError" && error.code === -32_601;

const none = (list: List) => Effect.succeed({ [list]: [] });

export const make = (options: Options): McpConnector.Connection => {
  const { use, explain, expectResult = () => {}, timeoutMillis } = options;
  let definitions: ReadonlyMap<string, Tool.ToolDefinition> = new Map();

  const all = (list: List) =>
    ListPages.all(list, (cursor) => {
      const page = use((session) => session.page(list, cursor, timeoutMillis));
      return list === "tools" ? page : Effect.catchIf(page, isUnknownMethod, () => none(list));
    }).pipe(
      Effect.timeoutOrElse({
        duration: timeoutMillis,
        orElse: () =>
          Effect.fail(new ConnectorError({ reason: "timeout", message: "", sent: true })),
      }),
      Effect.mapError((error) =>
        error.reason === "timeout"
          ? explain(
              "timeout",
              `Timed out after ${timeoutMillis / 1_000} s: \`initialize\` answered but \`${lists[list]}\` did not.`,
              true,
            )
          : error,
      ),
    );

  const listTools = all("tools").pipe(
    Effect.tap((tools) =>
      Effect.sync(() => {
        definitions = new Map(tools.filter(isDefinition).map((tool) => [tool.name, tool]));
        options.onList?.(tools);
      }),
    ),
    Effect.withSpan("Connection.listTools"),
  );

  /** Explains a timeout when it is known which part did not respond. */
  const explained = (error: ConnectorError | RpcError, timeoutMillis: number) =>
    error._tag === "ConnectorError" && error.reason === "timeout"
      ? explain("timeout", `Timed out after ${timeoutMillis / 1_000} s.`, error.sent)
      : error;

  const ask = (
    name: string,
    args: Readonly<Record<string, unknown>>,
    { maxResultBytes, meta, timeoutMillis }: McpConnector.CallOptions,
    onprogress: NonNullable<RequestOptions["onprogress"]>,
  ) => {
    if (maxResultBytes !== undefined) expectResult(maxResultBytes);
    return use((session) =>
      session.call(
        name,
        args,
        definitions.get(name),
        {
          timeout: timeoutMillis,
          onprogress,
          resetTimeoutOnProgress: true,
        },
        meta,
      ),
    ).pipe(Effect.mapError((error) => explained(error, timeoutMillis)));
  };

  const callTool: McpConnector.Connection["callTool"] = (name, args, call) => {
    const { onProgress } = call;
    // The SDK extends the time limit only if there is a progress listener.
    if (onProgress === undefined) return ask(name, args, call, () => {});
    return Effect.gen(function* () {
      const queue = yield* Queue.sliding<McpConnector.Progress, Cause.Done>(maxProgress);
      const reported = Stream.runForEach(Stream.fromQueue(queue), onProgress);
      const answered = ask(name, args, call, (progress) => {
        Queue.offerUnsafe(queue, progress);
      });
      const [result] = yield* Effect.all([Effect.ensuring(answered, Queue.end(queue)), reported], {
        concurrency: "unbounded",
      });
      return result;
    });
  };

  const read = (
    { maxResultBytes, meta, timeoutMillis }: McpConnector.ReadOptions,
    request: (
      session: Session,
      timeoutMillis: number,
      meta: McpConnector.ReadOptions["meta"],
    ) => Effect.Effect<unknown, unknown>,
  ) => {
    if (maxResultBytes !== undefined) expectResult(maxResultBytes);
    return use((session) => request(session, timeoutMillis, meta)).pipe(
      Effect.mapError((error) => explained(error, timeoutMillis)),
    );
  };

  return {
    connectMillis: options.connectMillis,
    greeting: options.greeting,
    listTools,
    listResources: all,
    readResource: (uri, options) =>
      read(options, (session, timeout, meta) => session.read(uri, timeout, meta)),
    listPrompts: all("prompts"),
    getPrompt: (name, args, options) =>
      read(options, (session, timeout, meta) => session.prompt(name, args, timeout, meta)),
    complete: (completion, options) =>
      read(options, (session, timeout, meta) => session.complete(completion, timeout, meta)),
    callTool,
    toolsChanged: options.changes.tools,
    resourcesChanged: options.changes.resources,
    closed: options.closed,
  };
};

/** Converts to an error of the port. The caller explains a timeout. */
export const failureOf = (error: unknown): ConnectorError | RpcError =>
  Failure.isTimeout(error)
    ? new ConnectorError({ reason: "timeout", message: "Timed out.", sent: true })
    : Failure.of(error);
