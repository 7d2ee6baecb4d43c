import {
  type AuthInfo,
  type InboundClassificationOutcome,
  type InboundModernRoute,
  type JSONRPCMessage,
  PerRequestHTTPServerTransport,
  type Server,
} from "@modelcontextprotocol/server";
import { Effect } from "effect";

/** A plain request of the present revision: it is answered without a web request and response. */

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

/** Hands the server's answer over as it is. */
class Exchange extends PerRequestHTTPServerTransport {
  answered: (answer: JSONRPCMessage) => void = () => {};

  override async send(message: JSONRPCMessage): Promise<void> {
    if (!("method" in message)) this.answered(message);
  }
}

/** The server's answer. Interruption cancels the request. */
export const ask = (
  server: Server,
  { classification, message }: Request,
  authInfo: AuthInfo,
): Effect.Effect<JSONRPCMessage> =>
  Effect.callback((resume) => {
    const exchange = new Exchange({ classification });
    const end = () => void server.close().catch(() => {});
    exchange.answered = (answer) => {
      resume(Effect.succeed(answer));
      end();
    };
    void server.connect(exchange).then(() => {
      exchange.onmessage?.(message, { classification, authInfo });
    });
    return Effect.sync(end);
  });
