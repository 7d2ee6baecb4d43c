import { Connection, HttpOptions, RequestObserver } from "@quartermaster/http";
import { Clock, Effect, Layer, Metric, Stream } from "effect";
import { HttpBody, HttpServerResponse } from "effect/http";
import * as Logs from "./Logs.ts";
import * as RequestMetrics from "./RequestMetrics.ts";

const isEvents = ({ contentType }: HttpBody.Stream) => contentType.startsWith("text/event-stream");

/**
 * Writes one log line and one measurement per request when its response is ready; for a stream,
 * when it ends. Counts open event streams.
 */
export const layer = Layer.effect(
  RequestObserver.RequestObserver,
  Effect.gen(function* () {
    const record = RequestMetrics.recorder();
    const log = yield* Logs.RequestLog;
    const { trustedProxies } = yield* HttpOptions.HttpOptions;
    const connection = Connection.make(trustedProxies);
    let live = 0;
    const countStream = (change: number) =>
      Effect.suspend(() => Metric.update(RequestMetrics.streams, (live += change)));
    yield* countStream(0);

    const observe: RequestObserver.Observe = (fiber, request, exchange) => {
      const clock = fiber.getRef(Clock.Clock);
      const startedAt = clock.monotonicTimeNanosUnsafe();

      const end = ({ status }: HttpServerResponse.HttpServerResponse) => {
        const micros = Math.round(Number(clock.monotonicTimeNanosUnsafe() - startedAt) / 1000);
        const { method } = request;
        record(fiber.context, method, exchange.route, status, micros / 1e6);
        return log({
          requestId: exchange.requestId,
          method,
          path: request.url.split(/[?#]/, 1)[0] ?? "",
          status,
          durationMs: micros / 1000,
          keyId: exchange.caller?.keyId ?? null,
          agentId: exchange.caller?.principal.agentId ?? null,
          address: connection.clientAddress(request),
          isProbe: exchange.route === "/healthz" || exchange.route === "/readyz",
        });
      };

      return (response) => {
        const { body } = response;
        if (body._tag !== "Stream" || request.method === "HEAD") {
          return Effect.as(end(response), response);
        }
        const ended = Effect.suspend(() => end(response));
        const stream = isEvents(body)
          ? Stream.ensuring(
              Stream.onStart(body.stream, countStream(1)),
              Effect.andThen(countStream(-1), ended),
            )
          : Stream.ensuring(body.stream, ended);
        return Effect.succeed(
          HttpServerResponse.setBody(
            response,
            HttpBody.stream(stream, body.contentType, body.contentLength),
          ),
        );
      };
    };
    return observe;
  }),
);
