import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { Effect, Exit, Stream } from "effect";
import { HttpServerResponse } from "effect/http";
import * as KeepAlive from "./KeepAlive.ts";

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

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The bytes of a response. `wrap` frames a body that is text. */
const bytesOf = (
  { body }: HttpServerResponse.HttpServerResponse,
  wrap: (text: string) => string,
): Stream.Stream<Uint8Array, unknown> => {
  if (body._tag === "Stream") return body.stream;
  if (body._tag !== "Uint8Array") return Stream.empty;
  return Stream.make(encoder.encode(wrap(body.text ?? decoder.decode(body.body))));
};

/** A response in the form of the current protocol version that starts before its result. */
export const lateEvents = (
  pending: Effect.Effect<HttpServerResponse.HttpServerResponse, unknown>,
  timing: KeepAlive.Timing,
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.stream(
    KeepAlive.until(pending, timing, KeepAlive.comment, (response) =>
      bytesOf(response, (text) => `event: message\ndata: ${text}\n\n`),
    ),
    { contentType: "text/event-stream", headers: KeepAlive.headers },
  );

/** A response in the form of legacy protocol versions that starts before its result. */
export const lateJson = (
  pending: Effect.Effect<HttpServerResponse.HttpServerResponse, unknown>,
  timing: KeepAlive.Timing,
  headers: Headers,
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.stream(
    KeepAlive.until(pending, timing, KeepAlive.space, (response) =>
      bytesOf(response, (text) => text),
    ),
    { contentType: json, headers: { ...KeepAlive.headers, ...headers } },
  );

interface StreamOptions {
  /** Completes when an endless stream must stop. */
  readonly until?: Effect.Effect<void>;
  readonly onOpen?: () => void;
  readonly onClose?: Effect.Effect<void>;
  /** Called when the client disconnects before the end of the stream. */
  readonly onAbort?: () => void;
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

/** An SSE comment that flushes the headers, because a stream may be silent for a long time. */
const opening = encoder.encode(KeepAlive.comment);

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
  const opened = Stream.prepend(messages, [opening]);
  const stream = options.until === undefined ? opened : Stream.interruptWhen(opened, options.until);
  const closed = Stream.onExit(stream, (exit) => {
    if (Exit.isFailure(exit)) options.onAbort?.();
    return options.onClose ?? Effect.void;
  });
  return HttpServerResponse.stream(closed, { status, headers, contentType: "text/event-stream" });
});
