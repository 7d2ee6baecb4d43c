import {
  type FetchLike,
  SdkHttpError,
  SSEClientTransport,
  SseError,
  type Transport,
} from "@modelcontextprotocol/client";
import { Effect, type Scope } from "effect";
import { TransportFailure } from "../client/Failure.ts";
import { greet } from "../client/Handshake.ts";
import * as Session from "../client/Session.ts";
import type { Address } from "./Address.ts";
import { HttpTransport } from "./HttpTransport.ts";
import * as Requests from "./Requests.ts";

/** A session with a server elsewhere. */
export interface RemoteSession extends Session.Session {
  /** Whether the server may forget it. */
  readonly hasId: boolean;
}

export interface Events {
  readonly onToolsChanged: () => void;
  /** Told when nothing more can come of the session. */
  readonly onEnd: (failure: TransportFailure) => void;
}

/** How often a lost stream is opened again. */
const reconnectionOptions = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 20,
};

/** Greets the server; the session ends with the scope. */
export const open = Effect.fnUntraced(function* (
  kind: "http" | "sse",
  address: Address,
  fetch: FetchLike,
  timeoutMillis: number,
  events: Events,
): Effect.fn.Return<RemoteSession, unknown, Scope.Scope> {
  let lastFailure: TransportFailure | undefined;
  const requests = Requests.make(address, fetch, {
    onFailure: (failure) => (lastFailure = failure),
    onTooLarge: events.onEnd,
  });

  const made: Array<Transport> = [];
  const transport = () => {
    const one =
      kind === "sse"
        ? new SSEClientTransport(address.url, { fetch: requests })
        : new HttpTransport(address.url, { fetch: requests, reconnectionOptions });
    made.push(one);
    return one;
  };
  // A stream of events would be opened again and again, also when the greeting failed.
  yield* Effect.addFinalizer(() =>
    Effect.forEach(made, (one) => Effect.ignore(Effect.tryPromise(() => one.close()))),
  );

  const client = yield* Effect.mapError(greet(transport, timeoutMillis), (error) =>
    error instanceof SseError ? (lastFailure ?? error) : error,
  );
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's clients have none
  client.onerror = (error) => {
    if (error instanceof SseError) {
      const why = "The stream of events was lost.";
      events.onEnd(lastFailure ?? new TransportFailure("closed", why, true));
    }
  };
  const session = yield* Session.make(client, events.onToolsChanged);
  const own = made.at(-1);
  const hasId = own instanceof HttpTransport && own.sessionId !== undefined;
  if (hasId) yield* Effect.addFinalizer(() => terminate(own));
  return { ...session, hasId };
});

/** A server keeps a session until it is told, or for long. */
const terminate = (transport: HttpTransport) =>
  Effect.tryPromise(() => transport.terminateSession()).pipe(
    Effect.timeoutOption("1 second"),
    Effect.interruptible,
    Effect.ignore,
  );

/** Whether the server does not know the session any more, so that it executed nothing. */
export const isLost = (error: unknown, session: RemoteSession): boolean => {
  if (!session.hasId) return false;
  if (error instanceof TransportFailure) return error.status === 404;
  if (!(error instanceof SdkHttpError)) return false;
  const { status, text } = error.data;
  return status === 404 || (status === 400 && /session/i.test(String(text)));
};
