import { McpConnector } from "@quartermaster/core";
import { Clock, Deferred, Effect, Exit, Queue, type Scope, Stream } from "effect";

type Failure = McpConnector.ConnectorError | McpConnector.RpcError;

/** A call of a scripted tool, from the server's side. */
export interface ScriptedCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Sends a progress notification, which extends the caller's time limit. */
  progress(progress: McpConnector.Progress): Effect.Effect<void>;
}

/** The behavior of a scripted tool. */
export type ScriptedTool = (call: ScriptedCall) => Effect.Effect<McpConnector.ToolResult, Failure>;

/** A call that reached the server, with its outcome. */
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

/** A scripted server. A changed setting applies to the next request. */
export class ScriptedServer {
  /** The listed tools. Values that are not valid definitions are allowed. */
  tools: ReadonlyArray<unknown> = [];
  /** Runs on each connection attempt. Its failure fails the attempt; `Effect.never` hangs it. */
  onConnect: Effect.Effect<void, McpConnector.ConnectorError> = Effect.void;
  /** Runs when a connection closes. The connection counts as open until it completes. */
  onClose: Effect.Effect<void> = Effect.void;
  /** Runs on each listing of tools. */
  onList: Effect.Effect<void, McpConnector.ConnectorError> = Effect.void;
  /**
   * Whether the server announces resources. Default: whether it has any when a connection opens.
   */
  hasResources: boolean | undefined = undefined;
  /** The instructions to models about the tools. */
  instructions: string | null = null;
  /** The listed resources and templates. Invalid values are allowed. */
  readonly resources: Record<McpConnector.ResourceKind, ReadonlyArray<unknown>> = {
    resources: [],
    resourceTemplates: [],
  };
  /** Runs on each listing of resources or templates. */
  onListResources: Effect.Effect<void, McpConnector.ConnectorError> = Effect.void;
  /** Reads a resource. Default: the text of a resource is its URI. */
  onRead: (uri: string) => Effect.Effect<unknown, Failure> = (uri) =>
    Effect.succeed({ contents: [{ uri, text: uri }] });
  /** The listed prompts. Invalid values are allowed. */
  prompts: ReadonlyArray<unknown> = [];
  /** Runs on each listing of prompts. */
  onListPrompts: Effect.Effect<void, McpConnector.ConnectorError> = Effect.void;
  /** Returns a prompt. Default: one message with the prompt's name and arguments. */
  onPrompt: (
    name: string,
    args: Readonly<Record<string, unknown>>,
  ) => Effect.Effect<unknown, Failure> = (name, args) =>
    Effect.succeed({
      messages: [
        { role: "user", content: { type: "text", text: `${name} ${JSON.stringify(args)}` } },
      ],
    });
  /** Completes an argument. Default: the value with each of three ends. */
  onComplete: (completion: McpConnector.Completion) => Effect.Effect<unknown, Failure> = ({
    argument: { value },
  }) =>
    Effect.succeed({ completion: { values: ["a", "b", "c"].map((end) => value + end), total: 3 } });
  /** Runs the tools. Default: each returns `ok`. */
  onCall: ScriptedTool = () => Effect.succeed({ content: [{ type: "text", text: "ok" }] });

  /** The targets of all connection attempts, including failed ones. */
  readonly targets: Array<McpConnector.Target> = [];
  /** The number of tool listings. */
  lists = 0;
  readonly calls: Array<ReceivedCall> = [];
  /** `_meta` of each call. */
  readonly metas: Array<McpConnector.CallOptions["meta"]> = [];
  /** The prompts that were requested. */
  readonly prompted: Array<{
    readonly name: string;
    readonly args: Readonly<Record<string, unknown>>;
  }> = [];
  readonly completions: Array<McpConnector.Completion> = [];
  /** The URIs that were read. */
  readonly reads: Array<string> = [];
  readonly #live = new Set<Live>();
  readonly #watchers = new Set<() => void>();

  /** The number of open connections. */
  get connections(): number {
    return this.#live.size;
  }

  /** Waits until a condition on the calls and open connections holds. */
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

  /** Notifies all connections that the tools or prompts changed. */
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

  /** Opens a connection, called by `ScriptedConnector`. */
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
        readResource: (uri, options) =>
          this.#read(live, options, () => {
            this.reads.push(uri);
            return this.onRead(uri);
          }),
        listPrompts: Effect.suspend(() =>
          Effect.map(this.#over(live, this.onListPrompts), () => this.prompts),
        ),
        getPrompt: (name, args, options) =>
          this.#read(live, options, () => {
            this.prompted.push({ name, args });
            this.metas.push(options.meta);
            return this.onPrompt(name, args);
          }),
        complete: (completion, options) =>
          this.#read(live, options, () => {
            this.completions.push(completion);
            return this.onComplete(completion);
          }),
        toolsChanged: Stream.fromQueue(live.changes),
        resourcesChanged: Stream.fromQueue(live.resourceChanges),
        closed: Deferred.await(live.over),
      })),
    );
  }

  #read(
    live: Live,
    { timeoutMillis }: McpConnector.ReadOptions,
    read: () => Effect.Effect<unknown, Failure>,
  ): Effect.Effect<unknown, Failure> {
    return Effect.suspend(() => this.#over(live, read())).pipe(
      Effect.timeoutOrElse({ duration: timeoutMillis, orElse: () => timedOut(timeoutMillis) }),
    );
  }

  /** Runs the effect until the connection is lost. */
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
    { meta, onProgress, timeoutMillis }: McpConnector.CallOptions,
  ): Effect.Effect<McpConnector.ToolResult, Failure> {
    const { onCall } = this;
    const received: ReceivedCall = { tool, args, outcome: "inFlight" };
    const arrive = Effect.sync(() => {
      this.calls.push(received);
      this.metas.push(meta);
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
      const progress = (report: McpConnector.Progress) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          heard = now;
          return onProgress?.(report) ?? Effect.void;
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
