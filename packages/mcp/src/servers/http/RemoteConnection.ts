import { createHash } from "node:crypto";
import { McpConnector } from "@quartermaster/core";
import { Clock, Deferred, Effect, Exit, Scope, Semaphore } from "effect";
import { RemoteFetch } from "../network/RemoteFetch.ts";
import * as Failure from "../session/Failure.ts";
import * as ListPages from "../session/ListPages.ts";
import * as LiveConnection from "../session/LiveConnection.ts";
import * as Address from "./Address.ts";
import * as RemoteSession from "./RemoteSession.ts";

const { ConnectorError } = McpConnector;
type ConnectorError = McpConnector.ConnectorError;
type RemoteTarget = Extract<McpConnector.Target, { readonly url: unknown }>;

/**
 * A connection to a remote server. It outlives the server's sessions.
 *
 * States
 * - live: requests use the current session.
 * - over: all requests fail, with the reason.
 *
 * Transitions
 * - live → live: the server forgot the current session. A new session replaces it if the server
 *   lists the same tools: callers have seen these tools and would not list them again.
 * - live → over: no new session could be opened, its tools differ, or the event stream is lost.
 *
 * Invariants
 * - Only `replace` changes the current session, once for each forgotten one.
 * - A session closes when it is no longer current and its last request has finished.
 */
export const open = Effect.fn("RemoteConnection.open")(function* (
  target: RemoteTarget,
  timeoutMillis: number,
): Effect.fn.Return<McpConnector.Connection, ConnectorError, RemoteFetch | Scope.Scope> {
  const startedAt = yield* Clock.currentTimeMillis;
  const address = yield* Address.of(target);
  const { fetch } = yield* RemoteFetch;
  const scope = yield* Effect.scope;
  const changes = yield* LiveConnection.changes;
  const over = Deferred.makeUnsafe<ConnectorError>();
  const replacing = yield* Semaphore.make(1);
  let listed: string | undefined;

  const end = (error: ConnectorError) => Deferred.doneUnsafe(over, Exit.succeed(error));

  const ended = Effect.flatMap(Deferred.await(over), Effect.fail);

  const openSession = Effect.gen(function* () {
    const sessionScope = yield* Scope.fork(scope);
    const session = yield* RemoteSession.open(target.transport, address, fetch, timeoutMillis, {
      ...changes,
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

  let current = yield* openSession;
  const connectMillis = (yield* Clock.currentTimeMillis) - startedAt;

  type Held = typeof current;
  /**
   * Closes a replaced session. If requests still wait for responses in it, the last of them closes
   * it.
   */
  const closeUnused = (held: Held) =>
    held === current || held.users > 0 ? Effect.void : Scope.close(held.scope, Exit.void);

  const lose = (message: string) => {
    const error = new ConnectorError({ reason: "closed", message, sent: false });
    end(error);
    return error;
  };

  const replace = (dead: Held) =>
    Effect.gen(function* () {
      if (current !== dead) return current;
      const fresh = yield* Effect.mapError(openSession, ({ message }) =>
        lose(`The server lost the session, and a new one could not be opened: ${message}`),
      );
      const { session } = fresh;
      if (listed !== undefined) {
        const tools = yield* ListPages.all("tools", (cursor) =>
          Effect.mapError(session.page("tools", cursor, timeoutMillis), LiveConnection.failureOf),
        ).pipe(Effect.option);
        if (tools._tag === "None" || digest(tools.value) !== listed) {
          return yield* lose("The server lost the session, and lists other tools in a new one.");
        }
      }
      current = fresh;
      yield* closeUnused(dead);
      return fresh;
    }).pipe(replacing.withPermit);

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
            ? Effect.flatMap(replace(used), (fresh) => on(fresh, f))
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
    greeting: LiveConnection.greetingOf(current.session),
    changes,
    onList: (tools) => {
      listed = digest(tools);
    },
  });
});

const digest = (tools: ReadonlyArray<unknown>) =>
  createHash("sha256").update(JSON.stringify(tools)).digest("hex");

const timedOut = (timeoutMillis: number) => {
  const message = `Timed out after ${timeoutMillis / 1_000} s: the server did not respond to \`initialize\`.`;
  return new ConnectorError({ reason: "timeout", message, sent: true });
};

const greetingFailure = (error: unknown, timeoutMillis: number): ConnectorError => {
  if (error instanceof ConnectorError) return error;
  if (Failure.isTimeout(error)) return timedOut(timeoutMillis);
  const failure = Failure.of(error);
  if (failure._tag === "ConnectorError") return failure;
  const message = `The server rejected \`initialize\`: ${failure.message} (${failure.code}).`;
  return new ConnectorError({ reason: "notMcp", message, sent: true });
};
