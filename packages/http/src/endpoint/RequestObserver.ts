import { Context, Effect, type Fiber } from "effect";
import type { HttpServerRequest, HttpServerResponse } from "effect/http";
import type { Exchange } from "./Exchange.ts";

/** Runs when a request starts. The returned function gets the response and may wrap it. */
export type Observe = (
  fiber: Fiber.Fiber<unknown, unknown>,
  request: HttpServerRequest.HttpServerRequest,
  exchange: Exchange,
) => (
  response: HttpServerResponse.HttpServerResponse,
) => Effect.Effect<HttpServerResponse.HttpServerResponse>;

/** Observes each request, for example for a log line and metrics. Default: does nothing. */
export const RequestObserver = Context.Reference<Observe>(
  "@quartermaster/http/endpoint/RequestObserver",
  { defaultValue: () => () => Effect.succeed },
);
