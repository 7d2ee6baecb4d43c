import type { Page } from "@quartermaster/core";
import { Effect } from "effect";
import { type HttpServerRequest, HttpServerResponse } from "effect/http";
import type * as Refusal from "../api/Refusal.ts";
import { HttpOptions } from "../HttpOptions.ts";
import * as Refused from "../middleware/Refused.ts";
import type { Exchange } from "./Exchange.ts";
import type { Paged, Value } from "./Reply.ts";

/** Replies as responses. */

/** A reply of any endpoint. */
export type AnyReply<E, R> =
  | Value<unknown>
  | Paged<unknown, E, R>
  | HttpServerResponse.HttpServerResponse;

type Request = HttpServerRequest.HttpServerRequest;
type Response = HttpServerResponse.HttpServerResponse;

const noContent = HttpServerResponse.empty({ status: 204 });

// A text is sent together with the headers; bytes would be a second chunk.
const json = (
  value: unknown,
  status: number,
  headers?: Readonly<Record<string, string>>,
): Response =>
  HttpServerResponse.text(JSON.stringify(value), {
    status,
    contentType: "application/json",
    ...(headers === undefined ? undefined : { headers }),
  });

/** Makes the responses of replies. */
export const responder = Effect.gen(function* () {
  const { publicUrl } = yield* HttpOptions;

  const linkTo = (request: Request, next: string) => {
    const [path = "", query = ""] = request.url.split("?", 2);
    const parameters = new URLSearchParams(query);
    parameters.set("cursor", next);
    return `<${publicUrl ?? ""}${path}?${parameters}>; rel="next"`;
  };

  const page = <E extends Refusal.Refusal, R>(
    { query, read }: Paged<unknown, E, R>,
    request: Request,
  ): Effect.Effect<Response, never, R> =>
    Effect.matchEffect(read({ limit: query.limit ?? 100, cursor: query.cursor }), {
      onFailure: (refusal) => Effect.succeed(Refused.because(refusal)),
      onSuccess: ({ items, next }: Page.Page<unknown>) =>
        Effect.succeed(
          json(items, 200, next === null ? undefined : { link: linkTo(request, next) }),
        ),
    });

  return <E extends Refusal.Refusal, R>(
    reply: AnyReply<E, R>,
    request: Request,
    _exchange: Exchange,
  ): Effect.Effect<Response, never, R> => {
    if (HttpServerResponse.isHttpServerResponse(reply)) return Effect.succeed(reply);
    if (reply._tag === "Paged") return page(reply, request);
    const { headers, status, value } = reply;
    return Effect.succeed(status === 204 ? noContent : json(value, status, headers));
  };
});
