import type { Attachments, Errors } from "@quartermaster/core";
import { Effect, type Scope, Sink, Stream } from "effect";
import { HttpServerResponse } from "effect/http";
import * as Refused from "../request/Refused.ts";

/** The response to a download: the whole attachment or one byte range. */

/** `attachment` with an ASCII file name, and the full name if it is not ASCII (RFC 6266). */
export const contentDisposition = (fileName: string): string => {
  const ascii = fileName.replaceAll(/[^\u0020-\u007e]/gu, "_").replaceAll(/["\\]/g, "\\$&");
  const plain = `attachment; filename="${ascii}"`;
  if (/^[\u0020-\u007e]*$/.test(fileName) && !fileName.includes("%")) return plain;
  const encoded = encodeURIComponent(fileName).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${plain}; filename*=UTF-8''${encoded}`;
};

/**
 * Parses a `Range` header for a file of `size` bytes: null for the whole file, undefined if the
 * range lies outside the file.
 */
export const rangeOf = (
  header: string | undefined,
  size: number,
): { readonly start: number; readonly end: number } | null | undefined => {
  const [, first = "", last = ""] = /^bytes=\s*(\d*)-(\d*)\s*$/.exec(header ?? "") ?? [];
  if (first === "" && last === "") return null;
  if (first === "") {
    const start = Math.max(0, size - Number(last));
    return start < size ? { start, end: size } : undefined;
  }
  const start = Number(first);
  const end = last === "" ? size : Math.min(size, Number(last) + 1);
  // A range whose end is before its start is invalid.
  if (last !== "" && Number(last) < start) return null;
  return start < size ? { start, end } : undefined;
};

/** Reads the first bytes before the status is sent: if they cannot be read, the response is a 503. */
const begun = <E>(bytes: Stream.Stream<Uint8Array, E>) =>
  Effect.map(Stream.peel(bytes, Sink.take(1)), ([first, rest]) =>
    Stream.concat(Stream.fromIterable(first), rest),
  );

/** The response to a download. */
export const response = Effect.fnUntraced(function* (
  { attachment, read }: Attachments.Download,
  request: {
    readonly isHead: boolean;
    readonly range: string | undefined;
    readonly ifRange: string | undefined;
  },
): Effect.fn.Return<HttpServerResponse.HttpServerResponse, Errors.StorageError, Scope.Scope> {
  const { contentType, fileName, sha256, size } = attachment;
  const etag = `"${sha256}"`;
  const isSame = request.ifRange === undefined || request.ifRange === etag;
  const range = isSame && !request.isHead ? rangeOf(request.range, size) : null;
  if (range === undefined) {
    return Refused.invalid(416, "range", `Expected a range within ${size} bytes`, {
      "content-range": `bytes */${size}`,
    });
  }
  const { end, start } = range ?? { start: 0, end: size };
  const body = request.isHead ? Stream.empty : yield* begun(read(start, end));
  return HttpServerResponse.stream(body, {
    status: range === null ? 200 : 206,
    contentType,
    contentLength: end - start,
    headers: {
      "accept-ranges": "bytes",
      etag,
      "content-disposition": contentDisposition(fileName),
      "content-security-policy": "sandbox; default-src 'none'",
      ...(range === null ? {} : { "content-range": `bytes ${start}-${end - 1}/${size}` }),
    },
  });
});
