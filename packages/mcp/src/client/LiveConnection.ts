import type { RequestOptions } from "@modelcontextprotocol/client";
import { McpConnector, type Tool } from "@quartermaster/core";
import { type Cause, Effect, PubSub, Queue, type Scope, Stream } from "effect";
import * as Failure from "./Failure.ts";
import type { Session } from "./Session.ts";
import * as ToolPages from "./ToolPages.ts";

const { ConnectorError } = McpConnector;
type ConnectorError = McpConnector.ConnectorError;
type RpcError = McpConnector.RpcError;

/** Progress that waits for a slow listener; older ones are dropped. */
const maxProgress = 256;

/** What a transport has to say besides its session. */
export interface Options {
  readonly connectMillis: number;
  readonly timeoutMillis: number;
  /** Runs a request on the session; on a fresh one if the session turns out to be dead. */
  readonly use: <A>(
    f: (session: Session) => Effect.Effect<A, unknown>,
  ) => Effect.Effect<A, ConnectorError | RpcError>;
  readonly explain: (
    reason: ConnectorError["reason"],
    message: string,
    sent: boolean,
  ) => ConnectorError;
  readonly closed: Effect.Effect<ConnectorError>;
  readonly changes: PubSub.PubSub<void>;
  /** Told of the definitions of each list. */
  readonly onList?: (tools: ReadonlyArray<Tool.ToolDefinition>) => void;
}

/** Tells of changes: those of before somebody listens, too, and many as one. */
export const changes: Effect.Effect<
  PubSub.PubSub<void>,
  never,
  Scope.Scope
> = Effect.acquireRelease(PubSub.sliding<void>({ capacity: 1, replay: 1 }), PubSub.shutdown);

export const make = (options: Options): McpConnector.Connection => {
  const { use, explain, timeoutMillis } = options;
  let definitions: ReadonlyMap<string, Tool.ToolDefinition> = new Map();

  const listTools = ToolPages.all((cursor) =>
    use((session) => session.page(cursor, timeoutMillis)),
  ).pipe(
    Effect.timeoutOrElse({
      duration: timeoutMillis,
      orElse: () => Effect.fail(new ConnectorError({ reason: "timeout", message: "", sent: true })),
    }),
    Effect.mapError((error) =>
      error.reason === "timeout"
        ? explain(
            "timeout",
            `Timed out after ${timeoutMillis / 1_000} s: \`initialize\` answered but \`tools/list\` did not.`,
            true,
          )
        : error,
    ),
    Effect.tap((tools) =>
      Effect.sync(() => {
        definitions = new Map(tools.map((tool) => [tool.name, tool]));
        options.onList?.(tools);
      }),
    ),
    Effect.withSpan("Connection.listTools"),
  );

  const ask = (
    name: string,
    args: Readonly<Record<string, unknown>>,
    { timeoutMillis }: McpConnector.CallOptions,
    onprogress: NonNullable<RequestOptions["onprogress"]>,
  ) =>
    use((session) =>
      session.call(name, args, definitions.get(name), {
        timeout: timeoutMillis,
        onprogress,
        resetTimeoutOnProgress: true,
      }),
    ).pipe(
      Effect.mapError((error) =>
        error._tag === "ConnectorError" && error.reason === "timeout"
          ? explain("timeout", `Timed out after ${timeoutMillis / 1_000} s.`, error.sent)
          : error,
      ),
    );

  const callTool: McpConnector.Connection["callTool"] = (name, args, call) => {
    const { onProgress } = call;
    // Somebody always listens: progress extends the deadline only then.
    if (onProgress === undefined) return ask(name, args, call, () => {});
    return Effect.gen(function* () {
      const queue = yield* Queue.sliding<McpConnector.Progress, Cause.Done>(maxProgress);
      const told = Stream.runForEach(Stream.fromQueue(queue), onProgress);
      const asked = ask(name, args, call, (progress) => {
        Queue.offerUnsafe(queue, progress);
      });
      const [result] = yield* Effect.all([Effect.ensuring(asked, Queue.end(queue)), told], {
        concurrency: "unbounded",
      });
      return result;
    });
  };

  return {
    connectMillis: options.connectMillis,
    listTools,
    callTool,
    toolsChanged: Stream.fromPubSub(options.changes),
    closed: options.closed,
  };
};

/** A failure in the port's words; `timeout` has no message yet. */
export const failureOf = (error: unknown): ConnectorError | RpcError =>
  Failure.isTimeout(error)
    ? new ConnectorError({ reason: "timeout", message: "Timed out.", sent: true })
    : Failure.of(error);
