import { Errors } from "@quartermaster/core";
import { Array, Cause, Effect, Pull, type Scope, Stream } from "effect";
import { type HttpServerRequest, MultipartParser } from "effect/http";
import * as Problem from "../api/Problem.ts";
import * as ConsumedBody from "./ConsumedBody.ts";
import * as Refused from "./Refused.ts";

/** Reads the single file of a multipart body, chunk by chunk. */

/**
 * The maximum bytes around the file: preamble, part headers, boundaries, epilogue. Without a limit,
 * an endless preamble would be read forever.
 */
const overhead = 64 * 1024;

const unsupported = Refused.from(
  new Problem.UnsupportedMediaType({
    detail:
      "The body is not multipart. Send the file as `Content-Type: multipart/form-data` with a boundary.",
  }),
);

const isMultipart = (contentType: string): boolean =>
  /^multipart\/form-data\s*;(.*;)?\s*boundary=\s*("[^"]+"|[^\s";]+)/i.test(contentType.trim());

/** Refuses another media type, a length beyond the limit, and a body that the host has already read. */
export const check = (
  request: HttpServerRequest.HttpServerRequest,
  maxBytes: number,
): Effect.Effect<void, Refused.Refused> => {
  if (!isMultipart(request.headers["content-type"] ?? "")) return Effect.fail(unsupported);
  if (Number(request.headers["content-length"] ?? 0) > maxBytes + overhead) {
    return Effect.fail(Refused.because(new Errors.PayloadTooLarge({ limitBytes: maxBytes })));
  }
  return ConsumedBody.isConsumed(request) ? Effect.fail(ConsumedBody.refused) : Effect.void;
};

/** The uploaded file. Its stream fails if the body has another part or ends early. */
export interface SentFile {
  readonly fileName: string;
  readonly contentType: string;
  readonly bytes: Stream.Stream<Uint8Array, Errors.InvalidRequest>;
}

const wrong = (path: string, message: string) => Errors.InvalidRequest.at(path, message);

const tooMuchBeside = wrong("", `Expected at most ${overhead} bytes in addition to the file`);

const contentTypeOf = (info: MultipartParser.PartInfo): string => {
  const { "content-type": sent } = info.headers;
  return typeof sent === "string" && /^[\w.+-]+\/[\w.+-]+[\u0020-\u007e]{0,200}$/.test(sent.trim())
    ? sent.trim()
    : "application/octet-stream";
};

const endOfHeaders = [13, 10, 13, 10];

/** Control characters that separate nothing. No file name contains them, and no parser accepts them. */
const isStray = (byte: number): boolean =>
  byte === 127 || (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13);

/** Removes stray control characters from everything before the first part's content. */
const headerCleaner = () => {
  let matched = 0;
  return (chunk: Uint8Array): Uint8Array => {
    if (matched === endOfHeaders.length) return chunk;
    let end = 0;
    while (end < chunk.length && matched < endOfHeaders.length) {
      const byte = chunk[end++];
      matched = byte === endOfHeaders[matched] ? matched + 1 : Number(byte === endOfHeaders[0]);
    }
    const head = chunk.subarray(0, end);
    if (!head.some(isStray)) return chunk;
    const kept = head.filter((byte) => !isStray(byte));
    const cleaned = new Uint8Array(kept.length + chunk.length - end);
    cleaned.set(kept);
    cleaned.set(chunk.subarray(end), kept.length);
    return cleaned;
  };
};

/** Reads up to the end of the headers of the part `file`. The stream reads the file's bytes. */
export const read = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
): Effect.fn.Return<SentFile, Errors.InvalidRequest, Scope.Scope> {
  const source = yield* Stream.toPull(request.stream);
  const state: {
    chunks: Array<Uint8Array>;
    file?: MultipartParser.PartInfo;
    refusal?: Errors.InvalidRequest;
    isDone: boolean;
    bytesRead: number;
    bytesOfFile: number;
  } = { chunks: [], isDone: false, bytesRead: 0, bytesOfFile: 0 };

  const refuse = (error: Errors.InvalidRequest) => {
    state.refusal ??= error;
  };
  const parser = MultipartParser.make({
    headers: request.headers,
    isFile: () => true,
    onField: () => {},
    onFile: (info) => {
      if (info.name !== "file")
        refuse(wrong(info.name.slice(0, 200), "Expected no other part than file"));
      else if (state.file !== undefined) refuse(wrong("file", "Expected exactly one part"));
      else if (info.filename === undefined) refuse(wrong("file", "Expected a file name"));
      state.file ??= info;
      return (chunk) => {
        if (chunk === null) return;
        state.bytesOfFile += chunk.length;
        if (state.refusal === undefined) state.chunks.push(chunk);
      };
    },
    onError: () => refuse(wrong("", "Expected a complete, well-formed multipart body")),
    onDone: () => {},
  });

  const clean = headerCleaner();
  /** Feeds the next chunk to the parser. */
  const pump = source.pipe(
    Pull.matchEffect({
      onSuccess: (bytes) =>
        Effect.sync(() => {
          for (const chunk of bytes) {
            parser.write(clean(chunk));
            state.bytesRead += chunk.length;
          }
          if (state.bytesRead - state.bytesOfFile > overhead) refuse(tooMuchBeside);
        }),
      onFailure: (cause) =>
        Cause.hasInterrupts(cause)
          ? Effect.failCause(cause as Cause.Cause<never>)
          : Effect.sync(() => refuse(wrong("", "The body ended before it was complete"))),
      onDone: () =>
        Effect.sync(() => {
          state.isDone = true;
          parser.end();
        }),
    }),
  );

  while (state.file === undefined && state.refusal === undefined && !state.isDone) yield* pump;
  if (state.refusal !== undefined) return yield* state.refusal;
  const info = state.file;
  if (info?.filename === undefined) return yield* wrong("file", "Expected a part with this name");

  const pull: Pull.Pull<
    Array.NonEmptyReadonlyArray<Uint8Array>,
    Errors.InvalidRequest
  > = Effect.suspend(() => {
    if (state.refusal !== undefined) return Effect.fail(state.refusal);
    const ready = state.chunks;
    if (Array.isArrayNonEmpty(ready)) {
      state.chunks = [];
      return Effect.succeed(ready);
    }
    return state.isDone ? Cause.done() : Effect.flatMap(pump, () => pull);
  });
  return {
    fileName: info.filename,
    contentType: contentTypeOf(info),
    bytes: Stream.fromPull(Effect.succeed(pull)),
  };
});
