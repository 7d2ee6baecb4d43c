import { ProtocolError } from "@modelcontextprotocol/client";
import { McpConnector, type ProcessSpawner } from "@quartermaster/core";
import { Clock, Deferred, Effect, Option, type Scope } from "effect";
import * as Failure from "../session/Failure.ts";
import { greet } from "../session/Handshake.ts";
import * as LiveConnection from "../session/LiveConnection.ts";
import * as Session from "../session/Session.ts";
import * as Pipe from "./Pipe.ts";

type ConnectorError = McpConnector.ConnectorError;
type StdioTarget = Extract<McpConnector.Target, { readonly transport: "stdio" }>;

/** Starts a server's program and connects to it. */
export const open = Effect.fn("StdioConnection.open")(function* (
  target: StdioTarget,
  timeoutMillis: number,
): Effect.fn.Return<
  McpConnector.Connection,
  ConnectorError,
  ProcessSpawner.ProcessSpawner | Scope.Scope
> {
  const startedAt = yield* Clock.currentTimeMillis;
  const changes = yield* LiveConnection.changes;
  const pipe = yield* Pipe.open(target, changes);

  const client = yield* greet(pipe.transport, timeoutMillis).pipe(
    Effect.timeoutOrElse({
      duration: timeoutMillis,
      orElse: () => Effect.fail(timedOut(pipe, timeoutMillis)),
    }),
    Effect.catch((error) =>
      Effect.flatMap(greetingFailure(pipe, error, timeoutMillis), Effect.fail),
    ),
  );
  const session = yield* Session.make(client, changes);
  const connectMillis = (yield* Clock.currentTimeMillis) - startedAt;

  return LiveConnection.make({
    connectMillis,
    timeoutMillis,
    use: (f) =>
      Effect.catch(f(session), (error) => {
        if (Deferred.isDoneUnsafe(pipe.over) && !(error instanceof ProtocolError)) {
          return Effect.flatMap(Deferred.await(pipe.over), Effect.fail);
        }
        const failure = LiveConnection.failureOf(error);
        return failure._tag === "ConnectorError" && failure.reason === "closed"
          ? Effect.flatMap(Deferred.await(pipe.over), Effect.fail)
          : Effect.fail(failure);
      }),
    explain: pipe.explain,
    expectResult: pipe.expectResult,
    closed: Deferred.await(pipe.over),
    greeting: LiveConnection.greetingOf(session),
    changes,
  });
});

const timedOut = (pipe: Pipe.Pipe, timeoutMillis: number) => {
  const { skipped, messages } = pipe.seen;
  const time = `Timed out after ${timeoutMillis / 1_000} s`;
  return skipped > 0 && messages === 0
    ? pipe.explain(
        "notMcp",
        `${time}: not an MCP answer, but ${skipped} other lines on stdout.`,
        true,
      )
    : pipe.explain("timeout", `${time}: the server did not respond to \`initialize\`.`, true);
};

const greetingFailure = (pipe: Pipe.Pipe, error: unknown, timeoutMillis: number) =>
  Effect.gen(function* () {
    if (error instanceof McpConnector.ConnectorError) return error;
    if (Failure.isTimeout(error)) return timedOut(pipe, timeoutMillis);
    const failure = Failure.of(error);
    if (failure._tag === "RpcError") {
      const why = `The server rejected \`initialize\`: ${failure.message} (${failure.code}).`;
      return pipe.explain("notMcp", why, true);
    }
    // The reason why the program stopped is more specific, if it arrives soon.
    const over = yield* Effect.timeoutOption(
      Deferred.await(pipe.over),
      failure.reason === "closed" ? "2 seconds" : 0,
    );
    return Option.getOrElse(over, () => pipe.explain(failure.reason, failure.message, true));
  });
