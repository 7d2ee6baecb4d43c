import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  parseJSONRPCMessage,
  SdkHttpError,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import {
  Deferred,
  Effect,
  FiberSet,
  Redacted,
  Schedule,
  Schema,
  type Scope,
  Semaphore,
  Stream,
} from "effect";

/** Why a bridge ends before its host ends it: one sentence. */
export class BridgeError extends Schema.TaggedError<BridgeError>()("BridgeError", {
  message: Schema.String,
}) {}

export interface BridgeOptions {
  /** The server's address, or that of its endpoint. */
  readonly url: string;
  readonly key: Redacted.Redacted<string>;
  /** What the host says, one message to a line. */
  readonly lines: Stream.Stream<string>;
  /** To the host: nothing but messages. */
  readonly write: (line: string) => void;
  /** To people. */
  readonly say: (line: string) => void;
}

type Id = JSONRPCRequest["id"];

/** A request that has no answer yet. */
interface Pending {
  readonly request: JSONRPCRequest;
  readonly abort: AbortController;
  /** In whose session it was sent; null while it was not. */
  transport: StreamableHTTPClientTransport | null;
}

/** How often a server that is not there is looked for: about 20 seconds long. */
const lookingFor = Schedule.exponential("250 millis", 1.5).pipe(Schedule.upTo({ times: 9 }));

/** How long answers are waited for when the host has said its last. */
const lastAnswers = "10 seconds";

const statusOf = (error: unknown) => (error instanceof SdkHttpError ? error.status : undefined);

const codeOf = (error: unknown): string => {
  if (!(error instanceof TypeError) || !(error.cause instanceof Error)) return "";
  return "code" in error.cause ? String(error.cause.code) : "";
};

/** Whether nothing was sent, as there was nobody to send it to. */
const isUnreached = (error: unknown): boolean =>
  ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"].includes(codeOf(error));

/** Whether it may have been sent, and what came of it is not known. */
const isLost = (error: unknown): boolean =>
  ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"].includes(codeOf(error));

const lost = "The connection was lost before there was an answer.";

const endpointOf = (url: string): URL | null => {
  const base = URL.parse(url.trim().replace(/\/+$/, ""));
  if (base === null || !/^https?:$/.test(base.protocol)) return null;
  if (!base.pathname.endsWith("/mcp")) base.pathname = `${base.pathname.replace(/\/$/, "")}/mcp`;
  return base;
};

/** The sentence of a problem, if that is what the server answered. */
const detailOf = (error: SdkHttpError): string => {
  const { text } = error.data;
  try {
    const said: unknown = JSON.parse(typeof text === "string" ? text : "");
    if (typeof said === "object" && said !== null && "detail" in said) return String(said.detail);
  } catch {}
  return `It answered ${error.status}.`;
};

/**
 * Passes the messages of a host that speaks MCP over stdio alone to the agents' endpoint, and back,
 * until the host says no more. A session that the server knows no longer is begun anew.
 */
export const run = Effect.fn("Bridge.run")(function* (
  options: BridgeOptions,
): Effect.fn.Return<void, BridgeError, Scope.Scope> {
  const endpoint = endpointOf(options.url);
  if (endpoint === null) {
    return yield* new BridgeError({
      message: `${options.url} is no http or https address: give that of the Quartermaster server.`,
    });
  }
  const over = yield* Deferred.make<never, BridgeError>();
  const fork = yield* FiberSet.makeRuntime();
  const renewing = yield* Semaphore.make(1);
  const pending = new Map<Id, Pending>();
  let initialize: JSONRPCRequest | null = null;
  let said = "";

  /** Says something to people, once. */
  const say = (text: string) => {
    if (text !== said) options.say(`quartermaster mcp: ${text}`);
    said = text;
  };
  const write = (message: object) => options.write(JSON.stringify(message));
  const fail = (id: Id, message: string) => {
    if (!pending.delete(id)) return;
    write({ jsonrpc: "2.0", id, error: { code: -32_000, message } });
  };

  const open = Effect.fnUntraced(function* () {
    const transport = new StreamableHTTPClientTransport(endpoint, {
      requestInit: { headers: { authorization: `Bearer ${Redacted.value(options.key)}` } },
      reconnectionOptions: {
        initialReconnectionDelay: 500,
        reconnectionDelayGrowFactor: 1.5,
        maxReconnectionDelay: 10_000,
        maxRetries: Number.POSITIVE_INFINITY,
      },
    });
    yield* Effect.promise(() => transport.start());
    return transport;
  });

  /** What the server says, to the host. */
  const serve = (transport: StreamableHTTPClientTransport) =>
    Object.assign(transport, {
      onmessage: (message: JSONRPCMessage) => {
        said = "";
        if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
          if (message.id === initialize?.id && isJSONRPCResultResponse(message)) {
            transport.setProtocolVersion(String(message.result["protocolVersion"]));
          }
          if (message.id !== undefined) pending.delete(message.id);
        }
        write(message);
      },
      onerror: (error: Error) => {
        // A stream of changes that finds its session gone.
        if (statusOf(error) === 404) fork(Effect.ignore(renew(transport)));
        else if (statusOf(error) === 401) refuse(error);
        else if (isUnreached(error)) say(`${endpoint.origin} cannot be reached; trying again.`);
      },
    });

  const refuse = (error: unknown) => {
    if (!(error instanceof SdkHttpError)) return;
    const why = `${endpoint.origin} refuses the key: ${detailOf(error)}`;
    for (const id of pending.keys()) fail(id, why);
    Deferred.doneUnsafe(over, Effect.fail(new BridgeError({ message: why })));
  };

  let current = yield* open();
  serve(current);

  /** Begins the session anew, as the host began it, in the place of one that is gone. */
  const renew = (stale: StreamableHTTPClientTransport) =>
    Effect.gen(function* () {
      if (current !== stale || initialize === null) return;
      const begun = initialize;
      const fresh = yield* open();
      const answered = yield* Deferred.make<string>();
      Object.assign(fresh, {
        onmessage: (message: JSONRPCMessage) => {
          if (isJSONRPCResultResponse(message) && message.id === begun.id) {
            Deferred.doneUnsafe(
              answered,
              Effect.succeed(String(message.result["protocolVersion"])),
            );
          }
        },
      });
      yield* attempt(() => fresh.send(begun));
      fresh.setProtocolVersion(yield* Effect.timeout(Deferred.await(answered), "30 seconds"));
      serve(fresh);
      current = fresh;
      yield* attempt(() => fresh.send({ jsonrpc: "2.0", method: "notifications/initialized" }));
      yield* attempt(() => stale.close());
      for (const [id, { transport }] of pending) {
        if (transport === stale) fail(id, "The session has ended before there was an answer.");
      }
      say("The session was begun anew.");
      // Nobody knows what was missed.
      write({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
    }).pipe(renewing.withPermit);

  /** A stream has ended: that of changes is opened again, another one owed an answer. */
  const onStreamEnd = (id: Id) => () => {
    const one = pending.get(id);
    if (one === undefined) return;
    if (one.request.method !== "subscriptions/listen") {
      return fail(id, lost);
    }
    const again = Effect.gen(function* () {
      yield* Effect.sleep("1 second");
      if (pending.get(id) !== one) return;
      yield* pass(one.request);
      write({
        jsonrpc: "2.0",
        method: "notifications/tools/list_changed",
        params: { _meta: { "io.modelcontextprotocol/subscriptionId": id } },
      });
    });
    fork(again);
  };

  const send = (message: JSONRPCMessage): Effect.Effect<void, unknown> =>
    Effect.suspend(() => {
      const transport = current;
      if (!isJSONRPCRequest(message)) return attempt(() => transport.send(message));
      const one = pending.get(message.id);
      // It was cancelled before there was anybody to send it to.
      if (one === undefined) return Effect.void;
      one.transport = transport;
      const notTaken = (error: unknown) =>
        isUnreached(error) ||
        (statusOf(error) === 404 && initialize !== null && message !== initialize);
      return attempt(() =>
        transport.send(message, {
          requestSignal: one.abort.signal,
          onRequestStreamEnd: onStreamEnd(message.id),
        }),
      ).pipe(
        Effect.catchIf(notTaken, (error) => {
          one.transport = null;
          if (isUnreached(error)) return Effect.fail(error);
          return Effect.flatMap(renew(transport), () =>
            current === transport ? Effect.fail(error) : send(message),
          );
        }),
      );
    });

  /** Passes a message on. It is sent again only if it was not received. */
  const pass = (message: JSONRPCMessage): Effect.Effect<void> => {
    if (isJSONRPCRequest(message)) {
      const abort = new AbortController();
      pending.set(message.id, { request: message, abort, transport: null });
    }
    return send(message).pipe(
      Effect.tapError((error) =>
        Effect.sync(() => {
          if (isUnreached(error)) say(`${endpoint.origin} cannot be reached; trying again.`);
        }),
      ),
      Effect.retry({ while: isUnreached, schedule: lookingFor }),
      Effect.catch((error) =>
        Effect.sync(() => {
          const status = statusOf(error);
          const why =
            error instanceof SdkHttpError
              ? `${endpoint.origin} refuses: ${detailOf(error)}`
              : isLost(error)
                ? lost
                : `${endpoint.origin} cannot be reached.`;
          if (status === 401 || status === 403) return refuse(error);
          if (isJSONRPCRequest(message)) fail(message.id, why);
          say(why);
        }),
      ),
    );
  };

  const take = (line: string): void => {
    if (line.trim() === "") return;
    for (const message of parse(line)) {
      if (message === null) {
        write({ jsonrpc: "2.0", id: null, error: { code: -32_700, message: "Not JSON-RPC" } });
        continue;
      }
      if (isJSONRPCRequest(message) && message.method === "initialize") initialize = message;
      // Since revision 2026-07-28, who hangs up cancels.
      const cancelled = cancelledBy(message);
      const one = cancelled === undefined ? undefined : pending.get(cancelled);
      if (one !== undefined && initialize === null) {
        pending.delete(one.request.id);
        one.abort.abort();
        continue;
      }
      if (cancelled !== undefined) pending.delete(cancelled);
      fork(pass(message));
    }
  };

  const settled = Effect.suspend(() =>
    [...pending.values()].every(({ request }) => request.method === "subscriptions/listen")
      ? Effect.void
      : Effect.fail("pending"),
  ).pipe(
    Effect.retry(Schedule.spaced("20 millis")),
    Effect.timeoutOption(lastAnswers),
    Effect.ignore,
  );

  const passed = Stream.runForEach(options.lines, (line) => Effect.sync(() => take(line))).pipe(
    // What was taken last is on its way when the first turn is over.
    Effect.andThen(Effect.sleep("20 millis")),
    Effect.andThen(settled),
    Effect.ensuring(
      Effect.ignore(
        Effect.timeout(
          attempt(() => current.terminateSession()),
          "2 seconds",
        ),
      ),
    ),
  );
  yield* Effect.raceFirst(Effect.asVoid(passed), Deferred.await(over));
}, Effect.scoped);

const attempt = <A>(f: () => Promise<A>) =>
  Effect.tryPromise({ try: f, catch: (error: unknown) => error });

/** The messages of a line, null for what is none. */
const parse = (line: string): ReadonlyArray<JSONRPCMessage | null> => {
  try {
    const value: unknown = JSON.parse(line);
    return (Array.isArray(value) ? value : [value]).map((one: unknown) => {
      try {
        return parseJSONRPCMessage(one);
      } catch {
        return null;
      }
    });
  } catch {
    return [null];
  }
};

const cancelledBy = (message: JSONRPCMessage): Id | undefined => {
  if (!isJSONRPCNotification(message) || message.method !== "notifications/cancelled") {
    return undefined;
  }
  const id = message.params?.["requestId"];
  return typeof id === "string" || typeof id === "number" ? id : undefined;
};
