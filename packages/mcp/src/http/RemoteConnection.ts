import { McpConnector, type Tool, Span } from "@quartermaster/core";
import { Clock, Deferred, Effect, Exit, PubSub, Scope, Semaphore } from "effect";
import { createHash } from "node:crypto";
import * as Failure from "../client/Failure.ts";
import * as LiveConnection from "../client/LiveConnection.ts";
import * as ToolPages from "../client/ToolPages.ts";
import { RemoteFetch } from "../network/RemoteFetch.ts";
import * as Address from "./Address.ts";
import * as RemoteSession from "./RemoteSession.ts";

const { ConnectorError } = McpConnector;
type ConnectorError = McpConnector.ConnectorError;
type RemoteTarget = Extract<McpConnector.Target, { readonly url: unknown }>;

/** Greets a server elsewhere. A session that it forgets is renewed once, if its tools are the same. */
export const open = Span.fn("RemoteConnection.open")(function* (
  target: RemoteTarget,
  timeoutMillis: number,
): Effect.fn.Return<McpConnector.Connection, ConnectorError, RemoteFetch | Scope.Scope> {
  const began = yield* Clock.currentTimeMillis;
  const address = yield* Address.of(target);
  const { fetch } = yield* RemoteFetch;
  const scope = yield* Effect.scope;
  const changes = yield* LiveConnection.changes;
  const over = Deferred.makeUnsafe<ConnectorError>();
  const renewing = yield* Semaphore.make(1);
  let listed: string | undefined;

  const end = (error: ConnectorError) => Deferred.doneUnsafe(over, Exit.succeed(error));

  const ended = Effect.flatMap(Deferred.await(over), Effect.fail);

  const begin = Effect.gen(function* () {
    const sessionScope = yield* Scope.fork(scope);
    const session = yield* RemoteSession.open(target.transport, address, fetch, timeoutMillis, {
      onToolsChanged: () => PubSub.publishUnsafe(changes, undefined),
      onEnd: (failure) => end(new ConnectorError(failure)),
    }).pipe(
      Scope.provide(sessionScope),
      Effect.raceFirst(ended),
      Effect.timeoutOrElse({ duration: timeoutMillis, orElse: () => timedOut(timeoutMillis) }),
      Effect.mapError((error) => greetingFailure(error, timeoutMillis)),
      Effect.onError((cause) => Scope.close(sessionScope, Exit.failCause(cause))),
    );
    return { session, scope: sessionScope, users: 0 };
  });

  let current = yield* begin;
  const connectMillis = (yield* Clock.currentTimeMillis) - began;

  type Held = typeof current;
  /** Others may still wait for their answer on a dead session: the last of them closes it. */
  const closeUnused = (held: Held) =>
    held === current || held.users > 0 ? Effect.void : Scope.close(held.scope, Exit.void);

  const lose = (message: string) => {
    const error = new ConnectorError({ reason: "closed", message, sent: false });
    end(error);
    return error;
  };

  const renew = (dead: Held) =>
    Effect.gen(function* () {
      if (current !== dead) return current;
      const fresh = yield* Effect.mapError(begin, ({ message }) =>
        lose(`The server forgot the session, and a new one could not be had: ${message}`),
      );
      const { session } = fresh;
      if (listed !== undefined) {
        const tools = yield* ToolPages.all((cursor) =>
          Effect.mapError(session.page(cursor, timeoutMillis), LiveConnection.failureOf),
        ).pipe(Effect.option);
        // Whoever uses the connection has looked at its tools once, and would not look again.
        if (tools._tag === "None" || digest(tools.value) !== listed) {
          return yield* lose("The server forgot the session, and its tools are others now.");
        }
      }
      current = fresh;
      yield* closeUnused(dead);
      return fresh;
    }).pipe(renewing.withPermit);

  const on = <A, E>(held: Held, f: (session: RemoteSession.RemoteSession) => Effect.Effect<A, E>) =>
    Effect.acquireUseRelease(
      Effect.sync(() => (held.users += 1)),
      () => f(held.session),
      () => {
        held.users -= 1;
        return closeUnused(held);
      },
    );

  return LiveConnection.make({
    connectMillis,
    timeoutMillis,
    use: (f) =>
      Effect.suspend(() => {
        const used = current;
        return Effect.catch(on(used, f), (error) =>
          RemoteSession.isLost(error, used.session)
            ? Effect.flatMap(renew(used), (fresh) => on(fresh, f))
            : Effect.fail(error),
        );
      }).pipe(
        Effect.raceFirst(ended),
        Effect.mapError((error) =>
          error instanceof ConnectorError ? error : LiveConnection.failureOf(error),
        ),
      ),
    explain: (reason, message, sent) => new ConnectorError({ reason, message, sent }),
    closed: Deferred.await(over),
    changes,
    onList: (tools) => {
      listed = digest(tools);
    },
  });
});

const digest = (tools: ReadonlyArray<Tool.ToolDefinition>) =>
  createHash("sha256").update(JSON.stringify(tools)).digest("hex");

const timedOut = (timeoutMillis: number) => {
  const message = `Timed out after ${timeoutMillis / 1_000} s: the server did not answer \`initialize\`.`;
  return new ConnectorError({ reason: "timeout", message, sent: true });
};

const greetingFailure = (error: unknown, timeoutMillis: number): ConnectorError => {
  if (error instanceof ConnectorError) return error;
  if (Failure.isTimeout(error)) return timedOut(timeoutMillis);
  const failure = Failure.of(error);
  if (failure._tag === "ConnectorError") return failure;
  const message = `\`initialize\` was refused: ${failure.message} (${failure.code}).`;
  return new ConnectorError({ reason: "notMcp", message, sent: true });
};
