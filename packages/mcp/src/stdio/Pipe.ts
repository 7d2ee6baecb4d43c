import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { McpConnector, Span } from "@quartermaster/core";
import { Deferred, Effect, Exit, Fiber, type PlatformError, Queue, Scope, Stream } from "effect";
import { Buffer } from "node:buffer";
import { mkdir } from "node:fs/promises";
import { TransportFailure } from "../client/Failure.ts";
import { maxMessageBytes } from "../protocol/Limits.ts";
import { Host } from "../processes/Host.ts";
import * as Environment from "../processes/Environment.ts";
import { Processes } from "../processes/Processes.ts";
import * as InOrder from "./InOrder.ts";
import { messagesOf } from "./JsonRpc.ts";
import { Lines } from "./Lines.ts";
import { Tail } from "../processes/Tail.ts";

const { ConnectorError } = McpConnector;
type ConnectorError = McpConnector.ConnectorError;
type StdioTarget = Extract<McpConnector.Target, { readonly transport: "stdio" }>;

/** How long what an ended program has written is waited for, and its end when it closed its output. */
const settleTime = "300 millis";

/**
 * With so many characters waiting while others are written, no more are taken: a program that does
 * not read would have all that it is ever sent kept.
 */
const maxWaiting = 16 * 1024 * 1024;

/** A program whose lines are messages. */
export interface Pipe {
  readonly transport: () => Transport;
  /** The end of the program or of what it says, with its reason. */
  readonly over: Deferred.Deferred<ConnectorError>;
  /** The reason of a failure, with what the program said besides messages. */
  readonly explain: (
    reason: ConnectorError["reason"],
    message: string,
    sent: boolean,
  ) => ConnectorError;
  /** Lines of its output that were no messages, and whether any was one. */
  readonly seen: { skipped: number; messages: number };
}

/** Starts the program; it ends with the scope. */
export const open = Span.fn("Pipe.open")(function* (
  target: StdioTarget,
): Effect.fn.Return<Pipe, ConnectorError, Processes | Scope.Scope> {
  const processes = yield* Processes;
  const host = yield* Host;
  const folders = Environment.foldersOf(target.folder);
  yield* Effect.tryPromise({
    try: async () => {
      for (const path of Object.values(folders)) {
        await mkdir(path, { recursive: true, mode: 0o700 });
      }
    },
    catch: () => notStarted("its folder could not be made"),
  });

  // The output is read until the program has ended: it may write a last word.
  const reading = yield* Effect.acquireRelease(Scope.make(), (scope) =>
    Scope.close(scope, Exit.void),
  );
  const outgoing = yield* Queue.unbounded<string>();
  let waiting = 0;
  const taken = Effect.map(Queue.takeAll(outgoing), (messages) => {
    waiting = 0;
    return Buffer.from(messages.join(""));
  });
  const handle = yield* processes
    .start({
      command: target.command,
      args: target.args,
      env: Environment.make(host, target.folder, target.env),
      cwd: target.folder,
      stdin: Stream.fromEffectRepeat(taken),
    })
    .pipe(Effect.mapError((error) => notStarted(reasonOf(error))));

  const tail = new Tail();
  const lines = new Lines(maxMessageBytes);
  const seen = { skipped: 0, messages: 0 };
  const over = Deferred.makeUnsafe<ConnectorError>();
  const tooLarge = Deferred.makeUnsafe<void>();
  let receiver: Transport | undefined;

  const deliver = InOrder.make((message) => receiver?.onmessage?.(message));
  const receive = (line: string) => {
    const messages = messagesOf(line);
    if (messages.length === 0) seen.skipped += line.trim() === "" ? 0 : 1;
    seen.messages += messages.length;
    for (const message of messages) deliver(message);
  };
  const explain: Pipe["explain"] = (reason, message, sent) =>
    new ConnectorError({
      reason,
      message: tail.text === "" ? message : `${message} Its last lines on stderr:\n${tail.text}`,
      sent,
    });

  const output = yield* handle.stdout.pipe(
    Stream.runForEach((chunk) =>
      lines.push(chunk, receive) ? Effect.void : Deferred.succeed(tooLarge, undefined),
    ),
    Effect.ignore,
    Effect.forkIn(reading),
  );
  const errors = yield* handle.stderr.pipe(
    Stream.runForEach((chunk) => Effect.sync(() => tail.push(chunk))),
    Effect.ignore,
    Effect.forkIn(reading),
  );

  const exited = Effect.gen(function* () {
    const how = yield* Effect.match(handle.exitCode, {
      onSuccess: (code) => `exited with code ${code}`,
      onFailure: (error) => endOf(error),
    });
    yield* Effect.timeoutOption(
      Effect.andThen(Fiber.await(output), Fiber.await(errors)),
      settleTime,
    );
    return explain("exited", `The server ${how}.`, true);
  });
  const silent = Effect.andThen(
    Fiber.await(output),
    Effect.timeoutOrElse(exited, {
      duration: settleTime,
      orElse: () => Effect.succeed(explain("closed", "The server closed its output.", true)),
    }),
  );
  const flooded = Effect.map(Deferred.await(tooLarge), () =>
    explain("tooLarge", `The server sent a message of more than ${maxMessageBytes} bytes.`, true),
  );
  yield* Effect.raceFirst(Effect.raceFirst(exited, silent), flooded).pipe(
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
        // A notification passes: it is small, and there is one at most to a request that passed.
        if ("id" in message && waiting >= maxWaiting) throw notRead();
        const line = `${JSON.stringify(message)}\n`;
        waiting += line.length;
        Queue.offerUnsafe(outgoing, line);
      },
      close: async () => {
        if (receiver !== self) return;
        receiver = undefined;
        self.onclose?.();
      },
    };
    return self;
  };

  return { transport, over, explain, seen };
});

const notRead = () =>
  new TransportFailure("unreachable", "The server does not read what it is sent.", false);

const notStarted = (why: string) =>
  new ConnectorError({
    reason: "spawnFailed",
    message: `The server could not be started: ${why}.`,
    sent: false,
  });

const reasonOf = ({ reason }: PlatformError.PlatformError): string => {
  if (reason._tag === "NotFound") return "the program or its folder was not found";
  if (reason._tag === "PermissionDenied") return "permission denied";
  return reason._tag === "BadArgument" ? (reason.description ?? "bad arguments") : reason._tag;
};

const endOf = (error: PlatformError.PlatformError): string => {
  const [, signal] = /signal: '(\w+)'/.exec(String(error.cause)) ?? [];
  return signal === undefined ? "ended" : `was ended by ${signal}`;
};
