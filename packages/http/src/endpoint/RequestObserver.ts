import { Context, Effect, type Fiber } from "effect";
import type { HttpServerRequest, HttpServerResponse } from "effect/http";
import type { Exchange } from "./Exchange.ts";

/** Called when a request starts; the result is called with its response, which it may wrap. */
export type Observe = (
  fiber: Fiber.Fiber<unknown, unknown>,
  request: HttpServerRequest.HttpServerRequest,
  exchange: Exchange,
) => (
  response: HttpServerResponse.HttpServerResponse,
) => Effect.Effect<HttpServerResponse.HttpServerResponse>;

/** Observes each request, for example for a log line and metrics. By default does nothing. */
export const RequestObserver = Context.Reference<Observe>(
  "@quartermaster/http/endpoint/RequestObserver",
  { defaultValue: () => () => Effect.succeed },
);
