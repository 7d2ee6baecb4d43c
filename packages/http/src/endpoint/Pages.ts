import { Effect, type Scope } from "effect";
import { type HttpServerRequest, HttpServerResponse } from "effect/http";
import type * as Refusal from "../api/Refusal.ts";
import { HttpOptions } from "../HttpOptions.ts";
import * as Refused from "../request/Refused.ts";
import type { Exchange } from "./Exchange.ts";
import { largeBytes, pageBytes } from "./InFlight.ts";
import * as Json from "./Json.ts";
import type { HeadedPage, Paged, Slice, Value } from "./Reply.ts";

/**
 * Converts replies to responses. A page is read and encoded in slices, so that a long page neither
 * fills the memory nor blocks the event loop.
 */

/** A reply of any endpoint. */
export type AnyReply<E, R> =
  | Value<unknown>
  | Paged<unknown, E, R>
  | HttpServerResponse.HttpServerResponse;

type Request = HttpServerRequest.HttpServerRequest;
type Response = HttpServerResponse.HttpServerResponse;

/**
 * `firstItems`: the items of the first slice while recent items were long. `sliceBytes`: the size
 * of the following slices.
 */
const firstItems = 16;
const sliceBytes = 2 * 1024 * 1024;
const sliceItems = 100;

/**
 * The estimated size of the longest recent item, in bytes. A longer item raises it before another
 * request reads its first slice; each page lowers it by 2 %. So pages of short items are read in
 * one slice (a list of 50 took about 1,400 µs of processor time in two slices, and 1,300 in one),
 * as is at most one page of long items.
 */
interface Longest {
  bytes: number;
}

/** The encoded bytes after which the final size of a page is estimated. */
const sampleBytes = 256 * 1024;

/**
 * Bytes encoded before the fiber yields: 1 to 3 ms. Node accepts one connection per turn of the
 * event loop, so a new client waits for many long steps.
 */
const yieldBytes = 128 * 1024;

const noContent = HttpServerResponse.empty({ status: 204 });

const refuse = (refusal: Refusal.Refusal) => Effect.succeed(Refused.because(refusal));

/** The space left for a slice: `limit` more items, after `before` bytes. */
interface Room {
  readonly before: number;
  readonly limit: number;
  readonly reservation: Json.Reservation;
  readonly longest: Longest;
}

/**
 * Items as JSON without the surrounding brackets: the encoded text, its size, the number of items
 * and the last one.
 */
interface Encoded {
  readonly text: string;
  readonly bytes: number;
  readonly count: number;
  readonly last: string | undefined;
}

/**
 * Encodes all items in one call if they are short: item by item, a list of 50 takes about 10 %
 * longer. Null if they are too long for that.
 */
const together = (items: ReadonlyArray<unknown>, { before, longest }: Room): Encoded | null => {
  if (before + longest.bytes * items.length > sampleBytes) return null;
  const text = JSON.stringify(items).slice(1, -1);
  // The text contains the commas between items; 1 is the comma or bracket before it.
  const bytes = Buffer.byteLength(text) + 1;
  return before + bytes > sampleBytes
    ? null
    : { text, bytes: items.length === 0 ? 0 : bytes, count: items.length, last: undefined };
};

/**
 * Encodes the items that fit. Once a page is large, reserves its estimated final size, so that a
 * started page can finish. Null if that exceeds the limit of bytes in flight.
 */
const encode = Effect.fnUntraced(function* (items: ReadonlyArray<unknown>, room: Room) {
  const { before, limit, longest, reservation } = room;
  const short = together(items, room);
  if (short !== null) return short;
  const texts: Array<string> = [];
  let bytes = 0;
  let sinceYield = 0;
  for (const item of items) {
    const text = JSON.stringify(item);
    const size = Buffer.byteLength(text) + 1;
    if (size > longest.bytes) longest.bytes = size;
    if (before + bytes + size > pageBytes) break;
    bytes += size;
    texts.push(text);
    const expected = before + Math.ceil((bytes / texts.length) * limit);
    const isLarge = before + bytes > sampleBytes && expected > largeBytes;
    if (isLarge && !reservation.grow(Math.min(pageBytes, expected))) return null;
    sinceYield += size;
    if (sinceYield > yieldBytes) {
      sinceYield = 0;
      yield* Effect.yieldNow;
    }
  }
  const encoded: Encoded = {
    text: texts.join(","),
    bytes,
    count: texts.length,
    last: texts.at(-1),
  };
  return encoded;
});

/**
 * An encoded slice. `bytes` includes a comma or bracket for each item; `next` is the cursor after
 * it.
 */
interface Part {
  readonly text: string;
  readonly bytes: number;
  readonly count: number;
  readonly next: string | null;
  /** Whether the page is full before the slice ends. */
  readonly isCut: boolean;
  readonly headers: HeadedPage<unknown>["headers"];
}

type ReadSlice = <E, R>(
  read: (slice: Slice) => Effect.Effect<HeadedPage<unknown>, E, R>,
  slice: Slice,
  room: Room,
  isCut: boolean,
) => Effect.Effect<Part | null, E, R>;

/** Creates the function that converts replies to responses. */
export const responder = Effect.gen(function* () {
  const { prefix, publicUrl } = yield* HttpOptions;
  const reserve = yield* Json.reservations;
  const json = yield* Json.texts;
  const longest: Longest = { bytes: sliceBytes / firstItems };

  const linkTo = (request: Request, next: string | null) => {
    if (next === null) return undefined;
    const [path = "", query = ""] = request.url.split("?", 2);
    const parameters = new URLSearchParams(query);
    parameters.set("cursor", next);
    return { link: `<${publicUrl ?? ""}${prefix}${path}?${parameters}>; rel="next"` };
  };

  /**
   * Reads and encodes one slice, as many items as fit. Null if the limit of bytes in flight is
   * exceeded.
   */
  const readSlice: ReadSlice = Effect.fnUntraced(function* (read, slice, room, isCut) {
    const { headers, items, next } = yield* read(slice);
    const encoded = yield* encode(items, room);
    if (encoded === null) return null;
    const { bytes, count, last, text } = encoded;
    if (count === items.length) return { text, bytes, count, next, isCut, headers };
    // No item fits: the page ends before this slice.
    if (count === 0) {
      return { text: "", bytes: 0, count, next: slice.cursor ?? null, isCut: true, headers };
    }
    // Storage computes cursors: read again to get the cursor after the last item that fits.
    const fitting = { ...slice, limit: count };
    const cut = yield* read(fitting);
    return cut.items.length === count && JSON.stringify(cut.items.at(-1)) === last
      ? { text, bytes, count, next: cut.next, isCut: true, headers }
      : yield* readSlice(read, fitting, room, true);
  });

  const page = Effect.fnUntraced(function* <E, R>(
    { query, read }: Paged<unknown, E, R>,
    request: Request,
    exchange: Exchange,
  ) {
    const reservation = yield* reserve(exchange);
    const parts: Array<string> = [];
    // 1 is the closing bracket. The opening one and the commas are counted with the items.
    let bytes = 1;
    let limit = query.limit ?? 100;
    const first = Math.max(firstItems, Math.min(sliceItems, sliceBytes / longest.bytes));
    const headers: Record<string, string> = {};
    let slice: Slice = { limit: Math.min(limit, Math.floor(first)), cursor: query.cursor };
    longest.bytes *= 0.98;
    for (;;) {
      const room = { before: bytes, limit, reservation, longest };
      const part = yield* readSlice(read, slice, room, false);
      if (part === null) return Json.tooMuchInFlight;
      if (part.count > 0) parts.push(parts.length === 0 ? "[" : ",", part.text);
      bytes += part.bytes;
      limit -= part.count;
      Object.assign(headers, part.headers);
      if (part.isCut || part.next === null || limit <= 0) {
        parts.push(parts.length === 0 ? "[]" : "]");
        Object.assign(headers, linkTo(request, part.next));
        if (bytes <= largeBytes) return Json.small(parts.join(""), exchange, 200, headers);
        reservation.shrink(bytes);
        return Json.large(parts, bytes, 200, headers);
      }
      // Other requests run between two slices.
      yield* Effect.yieldNow;
      const items = Math.floor((sliceBytes * part.count) / part.bytes);
      slice = { limit: Math.max(1, Math.min(sliceItems, items, limit)), cursor: part.next };
    }
  });

  return <E extends Refusal.Refusal, R>(
    reply: AnyReply<E, R>,
    request: Request,
    exchange: Exchange,
  ): Effect.Effect<Response, never, R | Scope.Scope> => {
    if (HttpServerResponse.isHttpServerResponse(reply)) return Effect.succeed(reply);
    if (reply._tag === "Paged") return Effect.catch(page(reply, request, exchange), refuse);
    const { headers, status, value } = reply;
    if (status === 204) return Effect.succeed(noContent);
    return json(JSON.stringify(value), exchange, status, headers);
  };
});
