import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { Effect, Stream } from "effect";
import { HttpServerResponse } from "effect/http";

/** Responses of the endpoint, and conversion of the SDK's responses to Effect's. */

const json = "application/json";

/** A response with a JSON-RPC error. */
export const refused = (
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null }), {
    status,
    contentType: json,
    headers,
  });

/** The specification requires the client to start a new session on this response. */
export const noSession = refused(404, -32_001, "Session not found");

export const postOnly = refused(405, -32_000, "This protocol version allows POST only.", {
  allow: "POST",
});

/** The response to HEAD: the response to GET without its stream. */
export const streamHead = HttpServerResponse.empty({
  status: 200,
  headers: { "content-type": "text/event-stream" },
});

type Headers = Readonly<Record<string, string>>;

/** One message as JSON. */
export const message = (
  answer: JSONRPCMessage,
  headers: Headers = {},
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(JSON.stringify(answer), { contentType: json, headers });

/** The empty response to a request that the client canceled. */
export const none = (headers: Headers): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: 202, headers });

interface StreamOptions {
  /** Completes when an endless stream must stop. */
  readonly until?: Effect.Effect<void>;
  readonly onOpen?: () => void;
  readonly onClose?: Effect.Effect<void>;
}

/** Headers of the SDK's responses that reach the client. */
const passed = ["allow", "cache-control", "mcp-session-id", "x-accel-buffering"];

const headersOf = (response: Response): Record<string, string> =>
  Object.fromEntries(
    passed.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    }),
  );

const encoder = new TextEncoder();

/** An SSE comment that flushes the headers, because a stream may be silent for a long time. */
const opening = encoder.encode(":\n\n");

/** Converts the SDK's response. A client that disconnects cancels its stream. */
export const fromWeb = Effect.fnUntraced(function* (response: Response, options: StreamOptions) {
  const { body, status } = response;
  const headers = headersOf(response);
  if (body === null) return HttpServerResponse.empty({ status, headers });
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
    const text = yield* Effect.promise(() => response.text());
    return HttpServerResponse.text(text, { status, headers, contentType: json });
  }
  options.onOpen?.();
  const messages = Stream.fromReadableStream({ evaluate: () => body, onError: (error) => error });
  const stream =
    options.until === undefined
      ? messages
      : Stream.interruptWhen(Stream.prepend(messages, [opening]), options.until);
  return HttpServerResponse.stream(Stream.ensuring(stream, options.onClose ?? Effect.void), {
    status,
    headers,
    contentType: "text/event-stream",
  });
});
