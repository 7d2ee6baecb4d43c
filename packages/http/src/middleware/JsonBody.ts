import { ByteSize, Effect } from "effect";
import { HttpIncomingMessage, type HttpServerError, type HttpServerRequest } from "effect/http";
import { Errors } from "@quartermaster/core";
import * as Problem from "../api/Problem.ts";
import * as NodeBody from "./NodeBody.ts";
import * as Refused from "./Refused.ts";

/** Reads the JSON of a request: its media type, its size, its encoding and its depth. */

/** Arrays and objects within each other, at most. */
const maxDepth = 64;

const decoder = new TextDecoder("utf-8", { fatal: true });

const unsupported = Refused.from(
  new Problem.UnsupportedMediaType({
    detail: "Send the body as `Content-Type: application/json`.",
  }),
);

const invalid = (message: string) => Refused.because(Errors.InvalidRequest.at("", message));

const isJson = (contentType: string): boolean =>
  /^application\/json\s*(;\s*charset="?utf-8"?\s*)?;?$/i.test(contentType.trim());

/** Whether arrays and objects lie deeper within each other than is allowed. */
const isTooDeep = (text: string): boolean => {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === 92) index++;
      else if (code === 34) inString = false;
    } else if (code === 34) inString = true;
    else if (code === 91 || code === 123) {
      if (++depth > maxDepth) return true;
    } else if (code === 93 || code === 125) depth--;
  }
  return false;
};

const isTooLarge = (error: HttpServerError.HttpServerError): boolean =>
  error.reason._tag === "RequestParseError" && error.reason.reason === "BodyTooLarge";

/** Whether there may be a body though its length is not told: HTTP/1 says that, nobody else does. */
const mayHaveBody = ({ headers, source }: HttpServerRequest.HttpServerRequest): boolean =>
  headers["transfer-encoding"] !== undefined ||
  !("httpVersionMajor" in source && source.httpVersionMajor === 1);

/**
 * Reads the text of bodies up to `maxBytes`; empty if there is no body. It fails with the response
 * that refuses: 415, then 413, then 400.
 */
export const reader = (maxBytes: number) => {
  const maxSize = ByteSize.bytes(maxBytes);
  const tooLarge = Refused.because(new Errors.PayloadTooLarge({ limitBytes: maxBytes }));
  const read = (
    request: HttpServerRequest.HttpServerRequest,
  ): Effect.Effect<ArrayBuffer | Uint8Array, NodeBody.Failure> => {
    const stream = NodeBody.streamOf(request);
    if (stream !== undefined) return NodeBody.read(stream, maxBytes);
    return request.arrayBuffer.pipe(
      Effect.provideService(HttpIncomingMessage.MaxBodySize, maxSize),
      Effect.mapError((error) => (isTooLarge(error) ? "tooLarge" : "cut")),
    );
  };
  return (request: HttpServerRequest.HttpServerRequest): Effect.Effect<string, Refused.Refused> => {
    const { headers } = request;
    const length = headers["content-length"];
    const isOpen = length === undefined && mayHaveBody(request);
    const contentType = headers["content-type"];
    const isOfType = contentType !== undefined && isJson(contentType);
    if (!isOpen && (length === undefined || Number(length) === 0)) return Effect.succeed("");
    if (!isOfType && (contentType !== undefined || !isOpen)) return Effect.fail(unsupported);
    if (Number(length) > maxBytes) return Effect.fail(tooLarge);
    return Effect.matchEffect(read(request), {
      onFailure: (failure) => {
        if (!isOfType) return Effect.fail(unsupported);
        return Effect.fail(failure === "tooLarge" ? tooLarge : cut);
      },
      onSuccess: (bytes) => {
        if (bytes.byteLength === 0) return Effect.succeed("");
        return isOfType ? textOf(bytes) : Effect.fail(unsupported);
      },
    });
  };
};

const cut = invalid("The body ended before it was complete");

const textOf = (bytes: ArrayBuffer | Uint8Array): Effect.Effect<string, Refused.Refused> => {
  try {
    const text = decoder.decode(bytes);
    return isTooDeep(text)
      ? Effect.fail(invalid(`The body has more than ${maxDepth} levels`))
      : Effect.succeed(text);
  } catch {
    return Effect.fail(invalid("The body is not valid UTF-8"));
  }
};
