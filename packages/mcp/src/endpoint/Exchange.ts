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

/** Plain requests of the present revision: they are answered without a web request and response. */

/** The revision that this is about. */
export const revision = "2026-07-28";

type Headers = Readonly<Record<string, string | undefined>>;
type Request = Extract<InboundModernRoute, { readonly messageKind: "request" }>;

const methods = new Set(["tools/call", "tools/list"]);

/** Whether a message is such a request; the SDK's handler judges others. */
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

/** Hands answers over as they are. */
class Exchange extends PerRequestHTTPServerTransport {
  /** Who waits, by the number that a request has here: those of clients are not unique. */
  readonly waiting = new Map<RequestId | undefined, (answer: JSONRPCMessage) => void>();

  override async send(message: JSONRPCMessage): Promise<void> {
    if (!("method" in message)) this.waiting.get(message.id)?.(message);
  }
}

/** Asks the server, for whoever asks it. Interruption cancels a request. */
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
