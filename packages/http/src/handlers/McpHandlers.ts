import { AgentEndpoint, Refusals } from "@quartermaster/mcp";
import { Effect, Layer } from "effect";
import type { HttpServerRequest, HttpServerResponse } from "effect/http";
import * as Group from "./Group.ts";
import { Api } from "../api/Api.ts";
import * as Refusal from "../api/Refusal.ts";
import { HttpOptions } from "../HttpOptions.ts";
import * as Caller from "../middleware/Caller.ts";

/** The refusals of tools in the words of every other route. */
const refusals = Layer.succeed(Refusals.Refusals, {
  problemOf: (refusal) => {
    const { detail, status, title, type, ...members } = Refusal.toProblem(refusal);
    return { type, title, status, detail, ...members };
  },
});

const isMethod = (method: string): method is AgentEndpoint.EndpointRequest["method"] =>
  method === "POST" || method === "GET" || method === "HEAD" || method === "DELETE";

export const layer = Group.group(
  Api,
  "mcp",
  Effect.fnUntraced(function* (handlers) {
    const endpoint = yield* AgentEndpoint.AgentEndpoint;
    const { shutdown } = yield* HttpOptions;

    /** The endpoint's response, typed as what the contract says of it. */
    const handle = Effect.fnUntraced(function* (
      { headers, method }: HttpServerRequest.HttpServerRequest,
      body?: unknown,
    ) {
      const caller = yield* Caller.current;
      return yield* endpoint.handle({
        method: isMethod(method) ? method : "POST",
        headers,
        body,
        keyId: caller.keyId,
        expiresAt: caller.expiresAt,
        until: Effect.suspend(() => Effect.raceFirst(shutdown.begun, Caller.untilRefused(caller))),
      });
    });

    return handlers
      .handle("call", ({ payload, request }) => respond(handle(request, payload)))
      .handle("listen", ({ request }) => respond(handle(request)))
      .handle("end", ({ request }) => respond(handle(request)));
  }),
);

/** The agents' endpoint with the refusals of this contract. */
export const endpoint: Layer.Layer<AgentEndpoint.AgentEndpoint, never, AgentEndpoint.Services> =
  Layer.provide(AgentEndpoint.AgentEndpoint.layer, refusals);

/** A response is sent as it is. */
const respond = <E, R>(
  effect: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
): Effect.Effect<never, E, R> => effect as Effect.Effect<never, E, R>;
