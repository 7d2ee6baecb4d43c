import {
  type AuthInfo,
  type InboundClassificationOutcome,
  type InboundModernRoute,
  type JSONRPCMessage,
  PerRequestHTTPServerTransport,
  type RequestId,
  type Server,
} from "@modelcontextprotocol/server";
import { Effect, type Scope } from "effect";

/**
 * Plain requests of the current protocol version. The SDK creates a server, a transport, a web
 * request and a web response for each; here one server and one transport serve all of them.
 */

/** The protocol version of plain requests. */
export const revision = "2026-07-28";

type Headers = Readonly<Record<string, string | undefined>>;
type Request = Extract<InboundModernRoute, { readonly messageKind: "request" }>;

const methods = new Set(["tools/call", "tools/list"]);

/**
 * Whether a request is plain and its headers match its message. The SDK's handler validates all
 * others.
 */
export const takes = (route: InboundClassificationOutcome, headers: Headers): route is Request => {
  if (route.kind !== "modern" || route.messageKind !== "request") return false;
  const { method, params } = route.message;
  return (
    methods.has(method) &&
    route.classification.revision === revision &&
    headers["mcp-protocol-version"] === revision &&
    headers["mcp-method"] === method &&
    headers["mcp-name"] === (method === "tools/call" ? params?.["name"] : undefined) &&
    params?._meta?.progressToken === undefined
  );
};

const classification = { era: "modern", revision } as const;

/**
 * A transport shared by many requests. It assigns its own ids, because the ids of two clients may
 * be equal.
 */
class Exchange extends PerRequestHTTPServerTransport {
  /** Pending requests by assigned id. */
  readonly waiting = new Map<RequestId | undefined, (answer: JSONRPCMessage) => void>();

  override async send(message: JSONRPCMessage): Promise<void> {
    if (!("method" in message)) this.waiting.get(message.id)?.(message);
  }
}

/** Returns a function that sends a request to the server. Interruption cancels the request. */
export const make = Effect.fnUntraced(function* (
  server: Server,
): Effect.fn.Return<
  (request: Request, authInfo: AuthInfo) => Effect.Effect<JSONRPCMessage>,
  never,
  Scope.Scope
> {
  const exchange = new Exchange({ classification });
  yield* Effect.promise(() => server.connect(exchange));
  yield* Effect.addFinalizer(() => Effect.promise(() => server.close()));
  let requests = 0;
  return ({ message }, authInfo) =>
    Effect.callback((resume) => {
      const id = ++requests;
      exchange.waiting.set(id, (answer) => {
        exchange.waiting.delete(id);
        resume(Effect.succeed({ ...answer, id: message.id }));
      });
      exchange.onmessage?.({ ...message, id }, { classification, authInfo });
      return Effect.sync(() => {
        exchange.waiting.delete(id);
        const params = { requestId: id };
        const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params } as const;
        exchange.onmessage?.(cancelled, { classification });
      });
    });
});
