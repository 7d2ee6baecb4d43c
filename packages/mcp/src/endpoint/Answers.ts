import { Clock, Effect, Stream } from "effect";
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

interface Watch {
  /** Nothing but the answer is to come, so its stream is sent at once, as a whole. */
  readonly whole?: boolean;
  /** Of a stream that has no end of its own. */
  readonly until?: Effect.Effect<void>;
  readonly onOpen?: () => void;
  readonly onClose?: (now: number) => void;
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

/** All that a stream says. Interruption cancels it. */
const wholeOf = (body: ReadableStream<Uint8Array>): Effect.Effect<string> =>
  Effect.promise(async (signal) => {
    const reader = body.getReader();
    signal.addEventListener("abort", () => void reader.cancel().catch(() => {}));
    const decoder = new TextDecoder();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      text += decoder.decode(value, { stream: true });
    }
  });

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
  const close = Effect.map(Clock.currentTimeMillis, (now) => watch.onClose?.(now));
  if (watch.whole === true) {
    const text = yield* Effect.ensuring(wholeOf(body), close);
    return HttpServerResponse.text(text, { status, headers, contentType: "text/event-stream" });
  }
  const messages = Stream.fromReadableStream({ evaluate: () => body, onError: (error) => error });
  const stream =
    watch.until === undefined
      ? messages
      : Stream.interruptWhen(Stream.prepend(messages, [opening]), watch.until);
  return HttpServerResponse.stream(Stream.ensuring(stream, close), {
    status,
    headers,
    contentType: "text/event-stream",
  });
});
