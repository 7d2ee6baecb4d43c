import type { ServerResponse } from "node:http";
import type { Http2ServerResponse } from "node:http2";
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest";
import { Delivery } from "@quartermaster/core";
import { Effect, Exit, Scope } from "effect";
import type { HttpServerRequest } from "effect/http";

/** The delivery of the response to a request: its last byte went to an open connection. */

const isClosed = (response: ServerResponse | Http2ServerResponse): boolean =>
  "stream" in response ? response.stream.destroyed : response.destroyed;

/** Node emits `finish` when it has handed the last byte to the system, and always `close`. */
const ofNode = (
  response: ServerResponse | Http2ServerResponse,
  deliveries: Delivery.Deliveries,
) => {
  if (isClosed(response)) return deliveries.settle(false);
  response.once("finish", () => deliveries.settle(true));
  response.once("close", () => deliveries.settle(false));
};

/**
 * Handles a request whose delivery matters. A host with the platform's `Request` has taken the response when the
 * scope of the request closes.
 */
export const reported = <A, E, R>(
  request: HttpServerRequest.HttpServerRequest,
  handled: Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R | Scope.Scope> =>
  Effect.flatMap(Effect.scope, (scope) => {
    const deliveries = Delivery.make();
    const { report, settle } = deliveries;
    const reporting = Effect.provideService(handled, Delivery.CurrentDelivery, report);
    if (!(request.source instanceof Request)) {
      ofNode(NodeHttpServerRequest.toServerResponse(request), deliveries);
      return reporting;
    }
    const closed = (exit: Exit.Exit<unknown, unknown>) =>
      Effect.sync(() => settle(Exit.isSuccess(exit)));
    return Effect.andThen(Scope.addFinalizerExit(scope, closed), reporting);
  });
