import { isJSONRPCRequest, type JSONRPCMessage, SdkHttpError } from "@modelcontextprotocol/client";
import { Effect, FiberSet, Schedule, type Scope } from "effect";
import type { BridgeSession } from "./BridgeSession.ts";
import * as Endpoint from "./Endpoint.ts";
import {
  isSubscription,
  subscribed,
  type PendingRequest,
  type PendingRequests,
} from "./PendingRequests.ts";

/**
 * Delivers messages of the host to the server. Retries while the server is unreachable, and renews
 * lost sessions.
 */

/** Retries while the server is unreachable, for about 20 seconds. */
const reaching = Schedule.exponential("250 millis", 1.5).pipe(Schedule.upTo({ times: 9 }));

/** The maximum number of session renewals per message. The next loss fails the message. */
const maxRenewals = 3;

export interface Options {
  readonly endpoint: URL;
  readonly session: BridgeSession;
  readonly requests: PendingRequests;
  readonly write: (message: object) => void;
  readonly say: (sentence: string) => void;
  /** Called when the server refuses the key. */
  readonly refuse: (error: SdkHttpError) => void;
}

/**
 * Returns a function that delivers one message, once the session is ready and the server is
 * reachable.
 */
export const make = Effect.fnUntraced(function* (
  options: Options,
): Effect.fn.Return<(message: JSONRPCMessage) => Effect.Effect<void>, never, Scope.Scope> {
  const { endpoint, requests, say, session, write } = options;
  const fork = yield* FiberSet.makeRuntime();

  /** Handles a stream that ended without a response. A subscription is opened again. */
  const onStreamEnd = (pending: PendingRequest) => {
    const { request } = pending;
    if (requests.get(request.id) !== pending) return;
    if (!isSubscription(request)) return requests.fail(request.id, Endpoint.lost);
    const reopen = Effect.gen(function* () {
      yield* Effect.sleep("1 second");
      if (requests.get(request.id) !== pending) return;
      yield* pass(request);
      const _meta = { "io.modelcontextprotocol/subscriptionId": request.id };
      for (const list of subscribed(request)) {
        write({ jsonrpc: "2.0", method: `notifications/${list}/list_changed`, params: { _meta } });
      }
    });
    fork(reopen);
  };

  const send = (message: JSONRPCMessage, renewals = maxRenewals): Effect.Effect<void, unknown> =>
    Effect.suspend(() => {
      const transport = session.transport();
      if (!isJSONRPCRequest(message)) return Endpoint.attempt(() => transport.send(message));
      const pending = requests.get(message.id);
      // The host canceled the request while it waited.
      if (pending === undefined) return Effect.void;
      pending.transport = transport;
      const sent = Endpoint.attempt(() =>
        transport.send(message, {
          requestSignal: pending.abort.signal,
          onRequestStreamEnd: () => onStreamEnd(pending),
        }),
      );
      const isForgotten = (error: unknown) =>
        Endpoint.statusOf(error) === 404 && message.method !== "initialize" && renewals > 0;
      return Effect.catch(sent, (error) => {
        if (Endpoint.isUnreached(error)) {
          pending.transport = null;
          return Effect.fail(error);
        }
        if (!isForgotten(error)) return Effect.fail(error);
        pending.transport = null;
        return Effect.flatMap(session.renew(transport), (isRenewed) =>
          isRenewed ? send(message, renewals - 1) : Effect.fail(error),
        );
      });
    });

  const giveUp = (message: JSONRPCMessage, error: unknown) => {
    if (error instanceof SdkHttpError && (error.status === 401 || error.status === 403)) {
      return options.refuse(error);
    }
    const sentence = Endpoint.sentenceOf(error, endpoint);
    if (isJSONRPCRequest(message)) requests.fail(message.id, sentence);
    say(sentence);
  };

  const pass = (message: JSONRPCMessage): Effect.Effect<void> => {
    if (isJSONRPCRequest(message)) requests.add(message);
    return session.whenReady(message).pipe(
      Effect.andThen(send(message)),
      Effect.tapError((error) =>
        Effect.sync(() => {
          if (Endpoint.isUnreached(error)) say(Endpoint.tryingAgain(endpoint));
        }),
      ),
      Effect.retry({ while: Endpoint.isUnreached, schedule: reaching }),
      Effect.catch((error) => Effect.sync(() => giveUp(message, error))),
    );
  };

  return pass;
});
