import type {
  AuthInfo,
  InboundClassificationOutcome,
  JSONRPCMessage,
  JSONRPCRequest,
  Server,
} from "@modelcontextprotocol/server";
import { Context, Effect, type Scope, Predicate } from "effect";
import * as Exchange from "./Exchange.ts";
import type { Outcome, SessionTransport } from "./SessionTransport.ts";

/**
 * The fast path of the agents' endpoint, and its only entry. A plain request expects one response
 * and nothing else: no progress, no batch, no stream. It reaches the SDK's server as a message,
 * without the web request, web response and stream that the SDK's HTTP transports create for it.
 *
 * Gain (`test/support/measurePlain.ts`, processor time of a tool call without HTTP and spans): 120
 * instead of 350 us in a session, 160 instead of 420 us in the current protocol version. `/mcp`
 * adds 0.83 ms to a call at p50, and the target allows 1 ms: the SDK's transports would exceed it.
 *
 * Cost: this code depends on how the SDK's transports pass messages to a server.
 * `PlainRequests.test.ts` sends each request both ways, compares status, headers and bytes, and
 * fails when the installed SDK is not `sdkVersion`. Remove the fast path when the SDK can respond
 * with JSON per request (`enableJsonResponse` is per transport) and can serve many requests of
 * protocol version 2026-07-28 with one server.
 */

/** The SDK version that the fast path was compared with. */
export const sdkVersion = "2.4.0";

/** Whether the fast path is enabled. Tests disable it to compare both paths. */
export const Enabled = Context.Reference<boolean>(
  "@quartermaster/mcp/agents/endpoint/plain/PlainRequests/Enabled",
  { defaultValue: () => true },
);

type Headers = Readonly<Record<string, string | undefined>>;

export interface PlainRequests {
  /** Whether a request with a session id is plain and needs no classification. */
  readonly isOfSession: (body: unknown, headers: Headers) => boolean;
  /** Responds to a request of protocol version 2026-07-28; null unless the request is plain. */
  readonly answer: (
    route: InboundClassificationOutcome,
    headers: Headers,
    authInfo: AuthInfo,
  ) => Effect.Effect<JSONRPCMessage> | null;
  /** The outcome of a request in a session; null unless the request is plain. */
  readonly answerInSession: (
    transport: SessionTransport,
    body: unknown,
    headers: Headers,
    authInfo: AuthInfo,
  ) => Effect.Effect<Outcome> | null;
}

/** `server` creates a server for the given protocol versions. */
export const make = Effect.fnUntraced(function* (
  server: (revisions: Array<string>) => Server,
): Effect.fn.Return<PlainRequests, never, Scope.Scope> {
  const enabled = yield* Enabled;
  const exchange = yield* Exchange.make(server([Exchange.revision]));
  return {
    isOfSession: (body, headers) =>
      enabled &&
      headers["mcp-session-id"] !== undefined &&
      !isCurrent(headers["mcp-protocol-version"]) &&
      isPlain(body),
    answer: (route, headers, authInfo) =>
      enabled && Exchange.takes(route, headers) ? exchange(route, authInfo) : null,
    answerInSession: (transport, body, headers, authInfo) =>
      enabled && isPlain(body) && transport.takes(body, headers)
        ? transport.ask(body, { authInfo })
        : null,
  };
});

/** Whether a protocol version has no sessions. */
export const isCurrent = (version: string | undefined): boolean =>
  version !== undefined && version >= "2026";

const members = new Set(["jsonrpc", "id", "method", "params"]);

/** False if `_meta` asks for progress or carries the envelope of the current protocol version. */
const isSilent = (meta: unknown): boolean =>
  meta === undefined ||
  (Predicate.isReadonlyObject(meta) &&
    Object.keys(meta).every(
      (name) => name !== "progressToken" && !name.startsWith("io.modelcontextprotocol/"),
    ));

/**
 * Whether a message is a complete request of a legacy protocol version that expects only a
 * response.
 */
const isPlain = (message: unknown): message is JSONRPCRequest => {
  if (!Predicate.isReadonlyObject(message)) return false;
  const { id, jsonrpc, method, params } = message;
  return (
    jsonrpc === "2.0" &&
    (typeof id === "string" || Number.isSafeInteger(id)) &&
    typeof method === "string" &&
    method !== "initialize" &&
    (params === undefined || (Predicate.isReadonlyObject(params) && isSilent(params["_meta"]))) &&
    Object.keys(message).every((name) => members.has(name))
  );
};
