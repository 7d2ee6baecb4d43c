import { Context, Effect, Scope, Stream } from "effect";
import { HttpServerResponse } from "effect/http";
import * as Problem from "../api/Problem.ts";
import * as Refused from "../request/Refused.ts";
import type { Exchange } from "./Exchange.ts";
import { InFlight, largeBytes } from "./InFlight.ts";

/** JSON responses: small ones in one piece, large ones counted and in chunks. */

type Response = HttpServerResponse.HttpServerResponse;
type Headers = Readonly<Record<string, string>> | undefined;

/** Bytes per write. Between two writes the event loop serves other requests. */
const chunkBytes = 256 * 1024;

const contentType = "application/json";

export const tooMuchInFlight: Response = Refused.from(
  new Problem.Unavailable({
    detail:
      "Too many large responses are in flight. Retry after the delay in `Retry-After`, or ask for fewer items with `limit`.",
  }),
);

/** A response in one piece. Node sends a string together with the headers, but bytes after them. */
export const small = (
  text: string,
  exchange: Exchange,
  status: number,
  headers?: Headers,
): Response =>
  HttpServerResponse.text(text, {
    status,
    contentType,
    headers: { ...exchange.headers, ...headers },
  });

const encoder = new TextEncoder();

const chunksOf = (part: string): ReadonlyArray<Uint8Array> => {
  const bytes = encoder.encode(part);
  return Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, index) =>
    bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes),
  );
};

/** A response in chunks, of `bytes` bytes in total. */
export const large = (
  parts: ReadonlyArray<string>,
  bytes: number,
  status: number,
  headers?: Headers,
): Response =>
  HttpServerResponse.stream(
    Stream.rechunk(Stream.flattenIterable(Stream.map(Stream.fromIterable(parts), chunksOf)), 1),
    {
      status,
      contentType,
      contentLength: bytes,
      ...(headers === undefined ? undefined : { headers }),
    },
  );

/** The bytes reserved for one response, released when the scope of its request closes. */
export interface Reservation {
  /**
   * Grows the reservation to at least `bytes`. Returns false if that exceeds the limit of bytes in
   * flight.
   */
  readonly grow: (bytes: number) => boolean;
  /** Shrinks the reservation to exactly `bytes`. */
  readonly shrink: (bytes: number) => void;
}

export const reservations = Effect.gen(function* () {
  const inFlight = yield* InFlight;
  return (exchange: Exchange): Effect.Effect<Reservation, never, Scope.Scope> =>
    Effect.withFiber((fiber) => {
      const keyId = exchange.caller?.keyId ?? "";
      let held = 0;
      const reservation: Reservation = {
        grow: (bytes) => {
          if (bytes <= held) return true;
          if (!inFlight.take(keyId, bytes - held)) return false;
          held = bytes;
          return true;
        },
        shrink: (bytes) => {
          inFlight.release(keyId, held - bytes);
          held = bytes;
        },
      };
      return Effect.as(
        Scope.addFinalizer(
          Context.getUnsafe(fiber.context, Scope.Scope),
          Effect.sync(() => inFlight.release(keyId, held)),
        ),
        reservation,
      );
    });
});

/** Creates responses from JSON text of any size. */
export const texts = Effect.map(
  reservations,
  (reserve) =>
    (
      text: string,
      exchange: Exchange,
      status: number,
      headers?: Headers,
    ): Effect.Effect<Response, never, Scope.Scope> => {
      if (text.length <= largeBytes) return Effect.succeed(small(text, exchange, status, headers));
      const bytes = Buffer.byteLength(text);
      return Effect.map(reserve(exchange), ({ grow }) =>
        grow(bytes) ? large([text], bytes, status, headers) : tooMuchInFlight,
      );
    },
);
