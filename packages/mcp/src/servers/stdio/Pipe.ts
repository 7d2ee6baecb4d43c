import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { McpConnector, ProcessSpawner } from "@quartermaster/core";
import { Deferred, Effect, Exit, Fiber, Scope, Stream } from "effect";
import { Tail } from "../../programs/processes/Tail.ts";
import type { ListEvents } from "../session/Session.ts";
import * as Input from "./Input.ts";
import * as Output from "./Output.ts";

const { ConnectorError } = McpConnector;
type ConnectorError = McpConnector.ConnectorError;
type StdioTarget = Extract<McpConnector.Target, { readonly transport: "stdio" }>;

/**
 * The time to read the rest of an exited program's output, and to wait for the exit of a program
 * that closed its output, because the exit code is more specific.
 */
const settleTime = "300 millis";

/**
 * A program whose lines are messages.
 *
 * States
 * - running: its output is read, and its input is written.
 * - over: with the first of these reasons: it exited, it closed its output, or it wrote too much
 *   unrequested output.
 *
 * Invariants
 * - `over` completes once. The program stops only when the scope closes, whatever the reason.
 * - Output is read until the scope closes, so that the reason includes the program's last output.
 * - The newest transport receives the messages.
 */
export interface Pipe {
  readonly transport: () => Transport;
  readonly over: Deferred.Deferred<ConnectorError>;
  /** An error with this reason and the first and last lines of the program's stderr. */
  readonly explain: (
    reason: ConnectorError["reason"],
    message: string,
    sent: boolean,
  ) => ConnectorError;
  readonly seen: Output.Output["seen"];
  readonly expectResult: Output.Output["expectResult"];
}

/**
 * Starts the program. List changes and log messages do not reach the SDK, which takes 0.2 ms per
 * message: some servers announce a change every millisecond or log as fast as they can, and nothing
 * uses their logs.
 */
export const open = Effect.fn("Pipe.open")(function* (
  target: StdioTarget,
  events: ListEvents,
): Effect.fn.Return<Pipe, ConnectorError, ProcessSpawner.ProcessSpawner | Scope.Scope> {
  const reading = yield* Effect.acquireRelease(Scope.make(), (scope) =>
    Scope.close(scope, Exit.void),
  );
  const input = yield* Input.make;
  const handle = yield* start(target, input);

  let receiver: Transport | undefined;
  const output = Output.make((message) => {
    const method = "method" in message ? message.method : undefined;
    if (method === "notifications/tools/list_changed") events.onToolsChanged();
    else if (method === "notifications/resources/list_changed") events.onResourcesChanged();
    else if (method !== "notifications/message") receiver?.onmessage?.(message);
  });
  const tail = new Tail();
  const over = Deferred.makeUnsafe<ConnectorError>();
  const explain: Pipe["explain"] = (reason, message, sent) =>
    new ConnectorError({
      reason,
      message:
        tail.text === ""
          ? message
          : `${message} Its ${tail.omits ? "first and last" : "last"} lines on stderr:\n${tail.text}`,
      sent,
    });

  const flood = Deferred.makeUnsafe<void>();
  const stdout = yield* handle.stdout.pipe(
    Stream.runForEach((chunk) =>
      Effect.flatMap(output.read(chunk), (goesOn) =>
        goesOn ? Effect.void : Effect.andThen(Deferred.succeed(flood, undefined), Effect.never),
      ),
    ),
    Effect.ignore,
    Effect.forkIn(reading),
  );
  const stderr = yield* handle.stderr.pipe(
    Stream.runForEach((chunk) => {
      tail.push(chunk);
      return output.pace(chunk);
    }),
    Effect.ignore,
    Effect.forkIn(reading),
  );

  const exited = Effect.gen(function* () {
    const { code, signal } = yield* handle.exit;
    const by = signal === null ? "" : ` by ${signal}`;
    const how = code === null ? `was stopped${by}` : `exited with code ${code}`;
    yield* Effect.timeoutOption(
      Effect.andThen(Fiber.await(stdout), Fiber.await(stderr)),
      settleTime,
    );
    const advice =
      tail.text === "" && code !== null
        ? " It wrote nothing to stderr: check its values, and whether this host reaches what it connects to."
        : "";
    return explain("exited", `The server ${how}.${advice}`, true);
  });
  const closed = Effect.andThen(
    Fiber.await(stdout),
    Effect.timeoutOrElse(exited, {
      duration: settleTime,
      orElse: () => Effect.succeed(explain("closed", "The server closed its output.", true)),
    }),
  );
  const exceeded = Effect.map(Deferred.await(flood), () =>
    explain(
      "closed",
      "The server wrote more than 1 MiB per second to stdout without a request.",
      true,
    ),
  );
  yield* Effect.raceAllFirst([exited, closed, exceeded]).pipe(
    Effect.flatMap((reason) => Deferred.succeed(over, reason)),
    Effect.tap(() => Effect.sync(() => receiver?.onclose?.())),
    Effect.forkScoped,
  );

  const transport = (): Transport => {
    const self: Transport = {
      start: async () => {
        receiver = self;
        if (Deferred.isDoneUnsafe(over)) self.onclose?.();
      },
      send: async (message: JSONRPCMessage) => {
        input.send(message);
        output.note(message);
      },
      close: async () => {
        if (receiver !== self) return;
        receiver = undefined;
        self.onclose?.();
      },
    };
    return self;
  };

  const { expectResult, seen } = output;
  return { transport, over, explain, seen, expectResult };
});

const start = (target: StdioTarget, input: Input.Input) =>
  Effect.flatMap(ProcessSpawner.ProcessSpawner, (spawner) =>
    Effect.mapError(
      spawner.start(target, { input: input.bytes, limits: ProcessSpawner.limits }),
      (error) =>
        new ConnectorError({
          reason: error._tag === "SandboxMissing" ? "runtimeMissing" : "spawnFailed",
          message:
            error._tag === "SandboxMissing"
              ? error.message
              : `The server could not be started: ${error.message}.`,
          sent: false,
        }),
    ),
  );
