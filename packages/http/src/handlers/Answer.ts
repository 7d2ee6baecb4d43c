import type { Page } from "@quartermaster/core";
import { Context, Effect } from "effect";
import { HttpServerRequest, HttpServerResponse } from "effect/http";
import type * as Refusal from "../api/Refusal.ts";
import { HttpOptions } from "../HttpOptions.ts";
import * as Refused from "../middleware/Refused.ts";

/**
 * Answers, prepared here: what the services give is its own JSON, so that nothing needs to be
 * encoded by a schema at every request.
 *
 * An answer is typed as the value that it says, for the contract to check, and is a response when
 * it runs, which `HttpApiBuilder` sends as it is. Refusals become their problems likewise.
 */
export type Answer<A, E extends Refusal.Refusal, R> = Effect.Effect<A, Refusal.ProblemOf<E>, R>;

type Respond<A> = (value: A) => HttpServerResponse.HttpServerResponse;

const refuse = (refusal: Refusal.Refusal) => Effect.succeed(Refused.because(refusal));

/** Any response for the value. */
export const respond = <A, B, E extends Refusal.Refusal, R>(
  effect: Effect.Effect<A, E, R>,
  response: Respond<A>,
): Answer<B, E, R> =>
  Effect.matchEffect(effect, {
    onFailure: refuse,
    onSuccess: (value) => Effect.succeed(response(value)),
  }) as unknown as Answer<B, E, R>;

/** Any response for the value, made by an effect. */
export const respondWith = <A, B, E extends Refusal.Refusal, R, R2>(
  effect: Effect.Effect<A, E, R>,
  response: (value: A) => Effect.Effect<HttpServerResponse.HttpServerResponse, never, R2>,
): Answer<B, E, R | R2> =>
  Effect.matchEffect(effect, { onFailure: refuse, onSuccess: response }) as unknown as Answer<
    B,
    E,
    R | R2
  >;

// A text is sent together with the headers; bytes would be a second chunk.
const json = (
  value: unknown,
  status = 200,
  headers?: Record<string, string>,
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(JSON.stringify(value), {
    status,
    contentType: "application/json",
    ...(headers === undefined ? undefined : { headers }),
  });

/** 200 with the value. */
export const ok = <A, E extends Refusal.Refusal, R>(
  effect: Effect.Effect<A, E, R>,
): Answer<A, E, R> => respond(effect, json);

/** 201 with what was made, and its URL where it has one. */
export const created = <A, E extends Refusal.Refusal, R>(
  effect: Effect.Effect<A, E, R>,
  location?: (made: A) => string,
): Answer<A, E, R> =>
  respond(effect, (made) =>
    json(made, 201, location === undefined ? undefined : { location: location(made) }),
  );

const noContentResponse = HttpServerResponse.empty({ status: 204 });

/** 204 without a body. */
export const noContent = <E extends Refusal.Refusal, R>(
  effect: Effect.Effect<unknown, E, R>,
): Answer<void, E, R> => respond(effect, () => noContentResponse);

interface Versioned {
  readonly version: number;
}

const etag = ({ version }: Versioned) => `"${version}"`;

/** 200 with something that has a version, which is its `ETag`. */
export const versioned = <A extends Versioned, E extends Refusal.Refusal, R>(
  effect: Effect.Effect<A, E, R>,
): Answer<A, E, R> => respond(effect, (value) => json(value, 200, { etag: etag(value) }));

/** 201 with something that has a version and a URL. */
export const createdVersioned = <A extends Versioned, E extends Refusal.Refusal, R>(
  effect: Effect.Effect<A, E, R>,
  location: (made: A) => string,
): Answer<A, E, R> =>
  respond(effect, (made) => json(made, 201, { etag: etag(made), location: location(made) }));

/** 200 with a page, and `Link: <...>; rel="next"` while more follow. */
export const page = <A, E extends Refusal.Refusal, R>(
  effect: Effect.Effect<Page.Page<A>, E, R>,
): Answer<ReadonlyArray<A>, E, R | HttpServerRequest.HttpServerRequest> =>
  respondWith(effect, ({ items, next }) =>
    Effect.withFiber((fiber) => {
      if (next === null) return Effect.succeed(json(items));
      const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest);
      const { publicUrl } = fiber.getRef(HttpOptions);
      const [path = "", query = ""] = request.url.split("?", 2);
      const parameters = new URLSearchParams(query);
      parameters.set("cursor", next);
      const link = `<${publicUrl ?? ""}${path}?${parameters}>; rel="next"`;
      return Effect.succeed(json(items, 200, { link }));
    }),
  );
