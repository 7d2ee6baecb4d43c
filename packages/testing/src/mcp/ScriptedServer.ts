import { McpConnector } from "@quartermaster/core";
import { Clock, Deferred, Effect, Exit, Queue, type Scope, Stream } from "effect";

type Failure = McpConnector.ConnectorError | McpConnector.RpcError;

/** A call as a scripted tool sees it. */
export interface ScriptedCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Notifies the caller, which extends its deadline. */
  progress(progress: McpConnector.Progress): Effect.Effect<void>;
}

/** The behavior of a scripted tool. */
export type ScriptedTool = (call: ScriptedCall) => Effect.Effect<McpConnector.ToolResult, Failure>;

/** A call that reached the server, and its outcome. */
export interface ReceivedCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  outcome: "inFlight" | "answered" | "failed" | "cancelled";
}

interface Live {
  readonly changes: Queue.Queue<void>;
  readonly resourceChanges: Queue.Queue<void>;
  readonly over: Deferred.Deferred<McpConnector.ConnectorError>;
}

/** A server that a test scripts. A setting holds from the next request on. */
export class ScriptedServer {
  /** The tools that it lists, also what is not a definition. */
  tools: ReadonlyArray<unknown> = [];
  /** Runs on each attempt to connect, and fails it if it fails. `Effect.never` hangs. */
  onConnect: Effect.Effect<void, McpConnector.ConnectorError> = Effect.void;
  /** Runs when a connection closes. The connection counts as open until it completes. */
  onClose: Effect.Effect<void> = Effect.void;
  /** Runs on each listing of tools. */
  onList: Effect.Effect<void, McpConnector.ConnectorError> = Effect.void;
  /** Whether it says that it has resources. Default: if it has any when a connection is opened. */
  hasResources: boolean | undefined = undefined;
  /** Its instructions to models about its tools. */
  instructions: string | null = null;
  /** The resources and templates that it lists, also what is neither. */
  readonly resources: Record<McpConnector.ResourceKind, ReadonlyArray<unknown>> = {
    resources: [],
    resourceTemplates: [],
  };
  /** Runs on each listing of resources or of templates. */
  onListResources: Effect.Effect<void, McpConnector.ConnectorError> = Effect.void;
  /** The behavior of reading a resource. By default the text of a resource is its URI. */
  onRead: (uri: string) => Effect.Effect<unknown, Failure> = (uri) =>
    Effect.succeed({ contents: [{ uri, text: uri }] });
  /** The behavior of the tools. By default they return `ok`. */
  onCall: ScriptedTool = () => Effect.succeed({ content: [{ type: "text", text: "ok" }] });

  /** The targets of all connection attempts, including failed ones. */
  readonly targets: Array<McpConnector.Target> = [];
  /** Listings of tools so far. */
  lists = 0;
  readonly calls: Array<ReceivedCall> = [];
  /** The URIs that were read. */
  readonly reads: Array<string> = [];
  readonly #live = new Set<Live>();
  readonly #watchers = new Set<() => void>();

  /** Open connections. */
  get connections(): number {
    return this.#live.size;
  }

  /** Waits until the condition holds of the calls and the open connections. */
  until(holds: () => boolean): Effect.Effect<void> {
    return Effect.callback<void>((resume) => {
      const check = () => {
        if (!holds()) return;
        this.#watchers.delete(check);
        resume(Effect.void);
      };
      this.#watchers.add(check);
      check();
      return Effect.sync(() => this.#watchers.delete(check));
    });
  }

  #changed() {
    for (const check of this.#watchers) check();
  }

  /** Notifies all connections that the tools changed. */
  readonly announce: Effect.Effect<void> = Effect.sync(() => {
    for (const { changes } of this.#live) Queue.offerUnsafe(changes, undefined);
  });

  /** Notifies all connections that the resources changed. */
  readonly announceResources: Effect.Effect<void> = Effect.sync(() => {
    for (const { resourceChanges } of this.#live) Queue.offerUnsafe(resourceChanges, undefined);
  });

  /** Loses all connections, as if the program had exited. */
  crash(message = "The server exited with code 1."): Effect.Effect<void> {
    const error = new McpConnector.ConnectorError({ reason: "exited", message, sent: true });
    return Effect.suspend(() =>
      Effect.forEach([...this.#live], ({ over }) => Deferred.succeed(over, error), {
        discard: true,
      }),
    );
  }

  /** A connection, as `ScriptedConnector` opens it. */
  open(
    target: McpConnector.Target,
  ): Effect.Effect<
    Omit<McpConnector.Connection, "connectMillis">,
    McpConnector.ConnectorError,
    Scope.Scope
  > {
    return Effect.suspend(() => {
      this.targets.push(target);
      return this.onConnect;
    }).pipe(
      Effect.andThen(this.#arrive),
      Effect.map((live) => ({
        greeting: {
          instructions: this.instructions,
          hasResources:
            this.hasResources ?? Object.values(this.resources).some(({ length }) => length > 0),
        },
        listTools: Effect.suspend(() => {
          this.lists++;
          return Effect.map(this.onList, () => this.tools);
        }),
        callTool: (name, args, options) => this.#call(live, name, args, options),
        listResources: (kind) =>
          Effect.map(this.#over(live, this.onListResources), () => this.resources[kind]),
        readResource: (uri, { timeoutMillis }) =>
          Effect.suspend(() => {
            this.reads.push(uri);
            return this.#over(live, this.onRead(uri));
          }).pipe(
            Effect.timeoutOrElse({
              duration: timeoutMillis,
              orElse: () => timedOut(timeoutMillis),
            }),
          ),
        toolsChanged: Stream.fromQueue(live.changes),
        resourcesChanged: Stream.fromQueue(live.resourceChanges),
        closed: Deferred.await(live.over),
      })),
    );
  }

  /** The effect, until the connection is lost. */
  #over<A, E>({ over }: Live, effect: Effect.Effect<A, E>) {
    return Effect.raceFirst(effect, Effect.flatMap(Deferred.await(over), Effect.fail));
  }

  readonly #arrive: Effect.Effect<Live, never, Scope.Scope> = Effect.acquireRelease(
    Effect.map(Effect.all([Queue.unbounded<void>(), Queue.unbounded<void>()]), (queues) => {
      const [changes, resourceChanges] = queues;
      const live: Live = { changes, resourceChanges, over: Deferred.makeUnsafe() };
      this.#live.add(live);
      this.#changed();
      return live;
    }),
    (live) =>
      Effect.andThen(
        Effect.suspend(() => this.onClose),
        Effect.sync(() => {
          this.#live.delete(live);
          this.#changed();
        }),
      ),
  );

  #call(
    { over }: Live,
    tool: string,
    args: Readonly<Record<string, unknown>>,
    { onProgress, timeoutMillis }: McpConnector.CallOptions,
  ): Effect.Effect<McpConnector.ToolResult, Failure> {
    const { onCall } = this;
    const received: ReceivedCall = { tool, args, outcome: "inFlight" };
    const arrive = Effect.sync(() => {
      this.calls.push(received);
      this.#changed();
    });
    const settle = (outcome: ReceivedCall["outcome"]) =>
      Effect.sync(() => {
        received.outcome = outcome;
        this.#changed();
      });
    return Effect.gen(function* () {
      yield* arrive;
      let heard = yield* Clock.currentTimeMillis;
      const progress = (said: McpConnector.Progress) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          heard = now;
          return onProgress?.(said) ?? Effect.void;
        });
      const late = Effect.gen(function* () {
        for (;;) {
          const left = heard + timeoutMillis - (yield* Clock.currentTimeMillis);
          if (left <= 0) return yield* timedOut(timeoutMillis);
          yield* Effect.sleep(left);
        }
      });
      return yield* onCall({ tool, args, progress }).pipe(
        Effect.raceFirst(late),
        Effect.raceFirst(Effect.flatMap(Deferred.await(over), Effect.fail)),
        Effect.onExit((exit) => {
          if (Exit.isSuccess(exit)) return settle("answered");
          return settle(Exit.hasInterrupts(exit) ? "cancelled" : "failed");
        }),
      );
    });
  }
}

const timedOut = (millis: number) =>
  new McpConnector.ConnectorError({
    reason: "timeout",
    message: `Timed out after ${millis / 1_000} s.`,
    sent: true,
  });
