import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { Effect, Stream } from "effect";
import { HttpServerResponse } from "effect/http";

/** What the SDK answers, as responses of Effect's. */

const json = "application/json";

/** An answer in the words of the protocol. */
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

/** To the client this says: begin a new session. */
export const noSession = refused(404, -32_001, "Session not found");

export const postAlone = refused(405, -32_000, "This revision knows POST alone.", {
  allow: "POST",
});

/** What a GET would answer, without its stream. */
export const streamHead = HttpServerResponse.empty({
  status: 200,
  headers: { "content-type": "text/event-stream" },
});

type Headers = Readonly<Record<string, string>>;

/** A message, alone. */
export const message = (
  answer: JSONRPCMessage,
  headers: Headers = {},
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(JSON.stringify(answer), { contentType: json, headers });

/** Nobody waits for the answer any more. */
export const none = (headers: Headers): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: 202, headers });

interface Watch {
  /** Of a stream that has no end of its own. */
  readonly until?: Effect.Effect<void>;
  readonly onOpen?: () => void;
  readonly close?: Effect.Effect<void>;
}

const kept = ["allow", "cache-control", "mcp-session-id", "x-accel-buffering"];

const headersOf = (response: Response): Record<string, string> =>
  Object.fromEntries(
    kept.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    }),
  );

const encoder = new TextEncoder();

/** Sends the headers of a stream that may be silent for long. */
const opening = encoder.encode(":\n\n");

/** The response as the SDK has it. Who goes away cancels its stream. */
export const fromWeb = Effect.fnUntraced(function* (response: Response, watch: Watch) {
  const { body, status } = response;
  const headers = headersOf(response);
  if (body === null) return HttpServerResponse.empty({ status, headers });
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
    const text = yield* Effect.promise(() => response.text());
    return HttpServerResponse.text(text, { status, headers, contentType: json });
  }
  watch.onOpen?.();
  const messages = Stream.fromReadableStream({ evaluate: () => body, onError: (error) => error });
  const stream =
    watch.until === undefined
      ? messages
      : Stream.interruptWhen(Stream.prepend(messages, [opening]), watch.until);
  return HttpServerResponse.stream(Stream.ensuring(stream, watch.close ?? Effect.void), {
    status,
    headers,
    contentType: "text/event-stream",
  });
});
