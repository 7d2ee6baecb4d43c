import { Clock, Context, Effect, Layer, Metric, Stream } from "effect";
import {
  HttpBody,
  HttpRouter,
  HttpServerError,
  HttpServerRequest,
  HttpServerResponse,
} from "effect/http";
import * as Logs from "./Logs.ts";
import * as RequestMetrics from "./RequestMetrics.ts";

/** What is noted of a request on its way. */
class Noted extends Context.Service<Noted, { route: string }>()(
  "@quartermaster/http/server/Observation/Noted",
) {}

/**
 * Notes the template of the route that answers. It has to be the innermost middleware: the one
 * that is added last.
 */
export const noteRoute = Layer.effectDiscard(
  HttpRouter.HttpRouter.use((router) =>
    router.addGlobalMiddleware((app) => Effect.ensuring(app, note)),
  ),
);

const note = Effect.withFiber((fiber) => {
  // The router leaves its context in the fiber of the request.
  const noted = Context.getOrUndefined(fiber.context, Noted);
  const matched = Context.getOrUndefined(fiber.context, HttpRouter.RouteContext);
  if (noted !== undefined && matched !== undefined) noted.route = matched.route.path;
  return Effect.void;
});

/**
 * One line of log and one measure for each request, when its answer is sent. Streams of events are
 * counted while they last.
 */
export const observer = Effect.gen(function* () {
  const record = RequestMetrics.recorder();
  const log = yield* Logs.RequestLog;
  let live = 0;
  const countStream = (change: number) =>
    Effect.suspend(() => Metric.update(RequestMetrics.streams, (live += change)));
  yield* countStream(0);

  return <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.withFiber<HttpServerResponse.HttpServerResponse, E, R>((fiber) => {
      const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest);
      const clock = fiber.getRef(Clock.Clock);
      const begun = clock.monotonicTimeNanosUnsafe();
      const noted = { route: "none" };

      const end = (response: HttpServerResponse.HttpServerResponse) =>
        Effect.suspend(() => {
          const micros = Math.round(Number(clock.monotonicTimeNanosUnsafe() - begun) / 1000);
          const { method } = request;
          record(fiber.context, method, noted.route, response.status, micros / 1e6);
          const path = request.url.split(/[?#]/, 1)[0] ?? "";
          return log({
            requestId: response.headers["x-request-id"],
            method,
            path,
            status: response.status,
            durationMs: micros / 1000,
          });
        });

      const send = (response: HttpServerResponse.HttpServerResponse) => {
        const { body } = response;
        if (body._tag !== "Stream" || request.method === "HEAD")
          return Effect.as(end(response), response);
        const stream = isEvents(body) ? Stream.onStart(body.stream, countStream(1)) : body.stream;
        const ended = isEvents(body)
          ? Effect.andThen(countStream(-1), end(response))
          : end(response);
        return Effect.succeed(
          HttpServerResponse.setBody(
            response,
            HttpBody.stream(Stream.ensuring(stream, ended), body.contentType, body.contentLength),
          ),
        );
      };

      return Effect.matchCauseEffect(Effect.provideService(app, Noted, noted), {
        onSuccess: send,
        onFailure: (cause) =>
          Effect.flatMap(HttpServerError.causeResponse(cause), ([response]) =>
            Effect.andThen(end(response), Effect.failCause(cause)),
          ),
      });
    });
});

const isEvents = ({ contentType }: HttpBody.Stream) => contentType.startsWith("text/event-stream");
