import type { RequestOptions } from "@modelcontextprotocol/client";
import { McpConnector, type Tool } from "@quartermaster/core";
import { type Cause, Effect, Predicate, PubSub, Queue, type Scope, Stream } from "effect";
import * as Failure from "./Failure.ts";
import type { Session } from "./Session.ts";
import * as ToolPages from "./ToolPages.ts";

const { ConnectorError } = McpConnector;
type ConnectorError = McpConnector.ConnectorError;
type RpcError = McpConnector.RpcError;

/** Progress notifications that wait for a slow listener. Older ones are dropped. */
const maxProgress = 256;

/** What a transport adds to its sessions. */
export interface Options {
  readonly connectMillis: number;
  readonly timeoutMillis: number;
  /** Runs a request on the session, or on a new one if the server no longer knows the session. */
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
  /** Called with the definitions of each list. */
  readonly onList?: (tools: ReadonlyArray<unknown>) => void;
}

/** Change notifications: coalesced, and replayed to late subscribers. */
export const changes: Effect.Effect<
  PubSub.PubSub<void>,
  never,
  Scope.Scope
> = Effect.acquireRelease(PubSub.sliding<void>({ capacity: 1, replay: 1 }), PubSub.shutdown);

const isDefinition = (value: unknown): value is Tool.ToolDefinition =>
  Predicate.isReadonlyObject(value) && typeof value["name"] === "string";

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
        definitions = new Map(tools.filter(isDefinition).map((tool) => [tool.name, tool]));
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
    // The SDK extends the deadline only if there is a listener.
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

  return {
    connectMillis: options.connectMillis,
    listTools,
    callTool,
    toolsChanged: Stream.fromPubSub(options.changes),
    closed: options.closed,
  };
};

/** The error of the port. The caller explains a timeout. */
export const failureOf = (error: unknown): ConnectorError | RpcError =>
  Failure.isTimeout(error)
    ? new ConnectorError({ reason: "timeout", message: "Timed out.", sent: true })
    : Failure.of(error);
