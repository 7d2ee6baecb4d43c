import {
  type FetchLike,
  SdkHttpError,
  SSEClientTransport,
  SseError,
  type Transport,
} from "@modelcontextprotocol/client";
import { Effect, type Scope } from "effect";
import { TransportFailure } from "../session/Failure.ts";
import { greet } from "../session/Handshake.ts";
import * as Session from "../session/Session.ts";
import type { Address } from "./Address.ts";
import { HttpTransport } from "./HttpTransport.ts";
import * as Requests from "./Requests.ts";

/** A session with a remote server. */
export interface RemoteSession extends Session.Session {
  /** Whether the server assigned a session id, and can therefore forget the session. */
  readonly hasId: boolean;
}

export interface Events extends Session.ListEvents {
  /** Called when the session is no longer usable. */
  readonly onEnd: (failure: TransportFailure) => void;
}

/** The backoff for reopening a lost stream. */
const reconnectionOptions = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 20,
};

/** Opens a session. Closing the scope closes it. */
export const open = Effect.fnUntraced(function* (
  kind: "http" | "sse",
  address: Address,
  fetch: FetchLike,
  timeoutMillis: number,
  events: Events,
): Effect.fn.Return<RemoteSession, unknown, Scope.Scope> {
  let lastFailure: TransportFailure | undefined;
  const requests = Requests.make(address, fetch, (failure) => (lastFailure = failure));

  const transports: Array<Transport> = [];
  const transport = () => {
    const created =
      kind === "sse"
        ? new SSEClientTransport(address.url, { fetch: requests })
        : new HttpTransport(address.url, { fetch: requests, reconnectionOptions });
    transports.push(created);
    return created;
  };
  // The SDK would reopen the event stream repeatedly, even after a failed handshake.
  yield* Effect.addFinalizer(() =>
    Effect.forEach(transports, (used) => Effect.ignore(Effect.tryPromise(() => used.close()))),
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
  const session = yield* Session.make(client, events);
  const own = transports.at(-1);
  const hasId = own instanceof HttpTransport && own.sessionId !== undefined;
  if (hasId) yield* Effect.addFinalizer(() => terminate(own));
  return { ...session, hasId };
});

/** Deletes the session at the server, which would otherwise store it until it expires. */
const terminate = (transport: HttpTransport) =>
  Effect.tryPromise(() => transport.terminateSession()).pipe(
    Effect.timeoutOption("1 second"),
    Effect.interruptible,
    Effect.ignore,
  );

/** Whether the server forgot the session, and therefore did not execute the request. */
export const isLost = (error: unknown, session: RemoteSession): boolean => {
  if (!session.hasId) return false;
  if (error instanceof TransportFailure) return error.status === 404;
  if (!(error instanceof SdkHttpError)) return false;
  const { status, text } = error.data;
  return status === 404 || (status === 400 && /session/i.test(String(text)));
};
