import { Errors } from "@quartermaster/core";
import { Cause, Context, Effect, Layer, References } from "effect";
import { SecureRandom } from "effect/crypto";
import { Hex } from "effect/encoding";
import { HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http";
import * as Problem from "../api/Problem.ts";
import * as Dashboard from "../Dashboard.ts";
import * as Docs from "../docs/Docs.ts";
import { HttpOptions } from "../HttpOptions.ts";
import * as Cors from "../request/Cors.ts";
import * as OAuthErrors from "../request/OAuthErrors.ts";
import * as Refused from "../request/Refused.ts";
import * as RouteTable from "../request/RouteTable.ts";
import { CurrentExchange, Exchange } from "./Exchange.ts";
import { type Observe, RequestObserver } from "./RequestObserver.ts";

/** Adds the request id to every response, and a problem to every error without a body. */

const internal = Refused.from(
  new Problem.Internal({
    detail:
      "An unexpected error occurred. Give the operator the `X-Request-Id` of this response: the log has the cause under it.",
  }),
);

const ending = Refused.from(
  new Problem.Unavailable({ detail: "This server is shutting down. Retry in a few seconds." }),
  { connection: "close" },
);

const noSuchPath = Refused.because(new Errors.NotFound({ resource: "path", id: null }));

const bodyCut = Refused.because(
  Errors.InvalidRequest.at("", "The body ended before it was complete"),
);

const otherVersion = Refused.invalid(505, "", "Use HTTP/1.1 or HTTP/1.0", { connection: "close" });

/**
 * Whether the request line has a version other than HTTP/1.x, which Node's parser accepts. A real
 * HTTP/2 request, to a host that mounts the routes, has a stream.
 */
const isOtherVersion = ({ source }: HttpServerRequest.HttpServerRequest): boolean =>
  "httpVersionMajor" in source && source.httpVersionMajor !== 1 && !("stream" in source);

/**
 * The response without a route: OAuth's error at its paths, 405 if the contract has the path, else
 * 404.
 */
const unrouted = (
  request: HttpServerRequest.HttpServerRequest,
): HttpServerResponse.HttpServerResponse => {
  const oauth = OAuthErrors.at(request.url);
  if (oauth !== undefined) return oauth;
  const methods = RouteTable.methodsAt(request.url);
  if (methods === undefined || methods.includes(request.method)) return noSuchPath;
  return Refused.otherMethod(methods.join(", "));
};

/** The response to an unhandled failure. Logs a defect. */
const rescue = (
  request: HttpServerRequest.HttpServerRequest,
  cause: Cause.Cause<unknown>,
  pageAt: (
    request: HttpServerRequest.HttpServerRequest,
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse> | null,
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  for (const reason of cause.reasons) {
    if (reason._tag === "Interrupt") continue;
    const error = reason._tag === "Fail" ? reason.error : reason.defect;
    if (HttpServerResponse.isHttpServerResponse(error)) return Effect.succeed(error);
    if (!HttpServerError.isHttpServerError(error)) continue;
    if (error.reason._tag === "RouteNotFound") {
      return pageAt(request) ?? Effect.succeed(unrouted(request));
    }
    if (error.reason._tag === "RequestParseError") return Effect.succeed(bodyCut);
  }
  return Effect.as(Effect.logError("Unhandled error in a request", cause), internal);
};

/** Observes a request whose client disconnected. The request stays interrupted. */
const abort = (
  cause: Cause.Cause<never>,
  finish: ReturnType<Observe>,
): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  HttpServerError.causeResponse(cause).pipe(
    Effect.flatMap(([response]) => finish(response)),
    Effect.andThen(Effect.failCause(cause)),
  );

/** Whether a response of the agents' endpoint carries a JSON-RPC error. */
const speaksProtocol = (
  { url }: HttpServerRequest.HttpServerRequest,
  { body }: HttpServerResponse.HttpServerResponse,
): boolean => RouteTable.isAgentsEndpoint(url) && body._tag === "Uint8Array";

/** Whether a response is an HTML page, which explains the error to the user. */
const isPage = ({ body }: HttpServerResponse.HttpServerResponse): boolean =>
  body._tag === "Uint8Array" && body.contentType.startsWith("text/html");

/** Adds a problem to an error response without a body, and completes a 401 of the agents' endpoint. */
const worded = (
  request: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse,
): HttpServerResponse.HttpServerResponse => {
  if (response.status < 400) return response;
  if (response.status === 401 && RouteTable.isAgentsEndpoint(request.url)) {
    return HttpServerResponse.setHeader(response, "www-authenticate", OAuthErrors.challenge);
  }
  const isWorded =
    Refused.isProblem(response) ||
    isPage(response) ||
    speaksProtocol(request, response) ||
    OAuthErrors.at(request.url) !== undefined;
  if (isWorded) return response;
  if (response.status === 404 || response.status === 405) return unrouted(request);
  return response.status >= 500
    ? internal
    : Refused.invalid(response.status, "", "The server cannot handle this request");
};

/** Whether a path segment has parameters (`;x=y`). The router would read them as a query. */
const hasParameters = (url: string): boolean => {
  if (!url.includes(";") && !url.includes("#")) return false;
  return url[url.search(/[;#?]/)] !== "?";
};

/** Request ids of callers that are safe to use unchanged. */
const wellFormed = /^[A-Za-z0-9._-]{1,128}$/;

/** Creates request ids: a random prefix for this process, and a counter. */
const makeIds = Effect.gen(function* () {
  const random = yield* SecureRandom.SecureRandom;
  const prefix = Hex.encode(yield* random.randomBytes(8));
  let count = 0;
  return () => `${prefix}-${(++count).toString(36)}`;
});

/** Wraps every route of the router that the layer is built in. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter;
    const { allowedOrigins, shutdown } = yield* HttpOptions;
    const cors = Cors.make(allowedOrigins);
    const makeId = yield* makeIds;
    const docs = yield* Docs.make;
    const dashboard = yield* Dashboard.make;
    const pageAt = (request: HttpServerRequest.HttpServerRequest) =>
      docs.below(request) ?? dashboard(request);

    const answer = <E>(
      app: Effect.Effect<HttpServerResponse.HttpServerResponse, E>,
      request: HttpServerRequest.HttpServerRequest,
    ) => {
      if (shutdown.hasStarted()) return Effect.succeed(ending);
      if (isOtherVersion(request)) return Effect.succeed(otherVersion);
      const preflight = cors.preflight(request);
      if (preflight !== undefined) return Effect.succeed(preflight);
      return hasParameters(request.url) || RouteTable.hasEmptySegment(request.url)
        ? Effect.succeed(unrouted(request))
        : app;
    };

    const observe = yield* RequestObserver;

    yield* router.addGlobalMiddleware((app): typeof app =>
      Effect.withFiber((fiber) => {
        const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest);
        const given = request.headers["x-request-id"];
        const requestId = given !== undefined && wellFormed.test(given) ? given : makeId();
        const exchange = new Exchange(requestId, cors.headers(request));
        const annotations = { ...fiber.getRef(References.CurrentLogAnnotations), requestId };
        const finish = observe(fiber, request, exchange);
        const send = (answered: HttpServerResponse.HttpServerResponse) => {
          const response = worded(request, answered);
          return finish(
            response.headers["x-request-id"] === requestId
              ? response
              : HttpServerResponse.setHeaders(response, {
                  ...exchange.headers,
                  ...("cache-control" in response.headers && {
                    "cache-control": response.headers["cache-control"],
                  }),
                }),
          );
        };
        return Effect.updateContext(
          Effect.matchCauseEffect(answer(app, request), {
            onSuccess: send,
            onFailure: (cause) =>
              Cause.hasInterruptsOnly(cause)
                ? abort(cause as Cause.Cause<never>, finish)
                : Effect.flatMap(rescue(request, cause, pageAt), send),
          }),
          (context) =>
            Context.add(
              Context.add(context, CurrentExchange, exchange),
              References.CurrentLogAnnotations,
              annotations,
            ),
        );
      }),
    );
  }),
);
