import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
} from "@modelcontextprotocol/client";
import { Deferred, Effect, FiberSet, Latch, type Scope, Semaphore } from "effect";
import { attempt, statusOf, type Transport } from "./Endpoint.ts";

/**
 * The session between host and server. It outlives the server's own sessions.
 *
 * States
 * - `stateless`: the host sent no `initialize`. Messages pass unchanged (protocol version
 *   2026-07-28).
 * - `initializing`: the host sent `initialize` and the server has not responded. Other messages
 *   wait, because the server refuses messages without a session id and a protocol version.
 * - `established`: the server accepted `initialize`. Messages carry its session id and protocol
 *   version.
 *
 * Transitions
 * - stateless, established → initializing: `take` sees the host's `initialize`.
 * - initializing → established: the server's result arrives.
 * - initializing → stateless: `abandon`, because `initialize` failed, was refused or canceled.
 * - established → established: `renew`. The server responded with 404 and forgot its session, so
 *   the bridge repeats the host's `initialize` on a new transport and closes the old one.
 *
 * Invariants
 * - One transport is current. Only `renew` replaces it, once for each stale transport.
 * - The host sees only the response to its own `initialize`, never the response to a renewal.
 */
type State =
  | { readonly _tag: "stateless" }
  | { readonly _tag: "initializing" | "established"; readonly initialize: JSONRPCRequest };

/** The time limit for `initialize` when a session is replaced. */
const renewalTimeout = "30 seconds";

export interface Options {
  readonly open: Effect.Effect<Transport>;
  readonly onMessage: (message: JSONRPCMessage) => void;
  readonly onError: (error: Error) => void;
  /** Called when the session has a new transport. Requests sent on the stale one are lost. */
  readonly onRenewed: (stale: Transport) => void;
}

export const make = Effect.fnUntraced(function* (
  options: Options,
): Effect.fn.Return<BridgeSession, never, Scope.Scope> {
  const ready = yield* Latch.make(true);
  const renewing = yield* Semaphore.make(1);
  const fork = yield* FiberSet.makeRuntime();
  let state: State = { _tag: "stateless" };

  const settle = (next: State) => {
    state = next;
    ready.openUnsafe();
  };

  /** The result of `initialize` sets the protocol version of all later messages. */
  const receive = (transport: Transport, message: JSONRPCMessage) => {
    if (state._tag === "initializing" && isAnswerTo(state.initialize, message)) {
      if (isJSONRPCResultResponse(message)) {
        transport.setProtocolVersion(revisionOf(message.result));
        settle({ _tag: "established", initialize: state.initialize });
      } else settle({ _tag: "stateless" });
    }
    options.onMessage(message);
  };

  const serve = (transport: Transport) =>
    Object.assign(transport, {
      onmessage: (message: JSONRPCMessage) => receive(transport, message),
      onerror: (error: Error) => {
        // The change stream responded with 404.
        if (statusOf(error) === 404) fork(Effect.ignore(renew(transport)));
        else options.onError(error);
      },
    });

  /** Sends `initialize` on a new transport and waits for its result. */
  const greet = Effect.fnUntraced(function* (transport: Transport, initialize: JSONRPCRequest) {
    const answer = yield* Deferred.make<string, Error>();
    Object.assign(transport, {
      onmessage: (message: JSONRPCMessage) => {
        if (!isAnswerTo(initialize, message)) return;
        Deferred.doneUnsafe(
          answer,
          isJSONRPCResultResponse(message)
            ? Effect.succeed(revisionOf(message.result))
            : Effect.fail(new Error("The server rejected a new session.")),
        );
      },
    });
    yield* attempt(() => transport.send(initialize));
    transport.setProtocolVersion(yield* Effect.timeout(Deferred.await(answer), renewalTimeout));
  });

  const renew = (stale: Transport) =>
    Effect.gen(function* () {
      if (current !== stale || state._tag !== "established") return;
      const { initialize } = state;
      const fresh = yield* options.open;
      yield* Effect.onError(greet(fresh, initialize), () => close(fresh));
      current = serve(fresh);
      yield* attempt(() => fresh.send({ jsonrpc: "2.0", method: "notifications/initialized" }));
      yield* close(stale);
      options.onRenewed(stale);
    }).pipe(renewing.withPermit);

  let current = serve(yield* options.open);

  return {
    transport: () => current,
    isStateless: () => state._tag === "stateless",
    take: (message) => {
      if (!isJSONRPCRequest(message) || message.method !== "initialize") return;
      state = { _tag: "initializing", initialize: message };
      ready.closeUnsafe();
    },
    abandon: (request) => {
      if (state._tag === "initializing" && state.initialize === request) {
        settle({ _tag: "stateless" });
      }
    },
    whenReady: (message) =>
      Effect.suspend(() =>
        state._tag === "initializing" && state.initialize === message ? Effect.void : ready.await,
      ),
    renew: (stale) =>
      Effect.suspend(() =>
        Effect.map(
          state._tag === "established" ? renew(stale) : Effect.void,
          () => current !== stale,
        ),
      ),
    end: Effect.ignore(
      Effect.timeout(
        attempt(() => current.terminateSession()),
        "2 seconds",
      ),
    ),
  };
});

export interface BridgeSession {
  /** Changes with each renewal. */
  readonly transport: () => Transport;
  readonly isStateless: () => boolean;
  /** Updates the state from a message of the host, before the bridge passes it on. */
  readonly take: (message: JSONRPCMessage) => void;
  /** Updates the state when the server will not respond to a request. */
  readonly abandon: (request: JSONRPCRequest) => void;
  /** Waits until a message may be sent. */
  readonly whenReady: (message: JSONRPCMessage) => Effect.Effect<void>;
  /** Replaces a stale transport. Returns whether a newer transport is current. */
  readonly renew: (stale: Transport) => Effect.Effect<boolean, unknown>;
  /** Ends the server's session. Does not wait for a slow or unreachable server. */
  readonly end: Effect.Effect<void>;
}

const close = (transport: Transport) => Effect.ignore(attempt(() => transport.close()));

const revisionOf = (result: Readonly<Record<string, unknown>>) => String(result["protocolVersion"]);

const isAnswerTo = ({ id }: JSONRPCRequest, message: JSONRPCMessage): boolean =>
  (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) && message.id === id;
