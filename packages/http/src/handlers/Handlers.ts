import type { Principal } from "@quartermaster/core";
import { Effect, Layer, type Scope, type Stream } from "effect";
import { HttpRouter, type HttpServerRequest, type HttpServerResponse } from "effect/http";
import type { HttpApiEndpoint } from "effect/http-api";
import type { Authorization } from "../api/Access.ts";
import { Api } from "../api/Api.ts";
import type * as Refusal from "../api/Refusal.ts";
import { type AnyHandler, Endpoints } from "../endpoint/Endpoints.ts";
import type { Reply } from "../endpoint/Reply.ts";
import type { Caller } from "../request/Caller.ts";
import type { SentFile } from "../request/MultipartBody.ts";

/** Typed handlers of the contract: a missing or mistyped endpoint is a compile error. */

/** The groups of the contract. */
export type GroupId = keyof typeof Api.groups;

type EndpointsOf<Id extends GroupId> = (typeof Api.groups)[Id]["endpoints"];

type IsGuarded<Endpoint> =
  Authorization extends HttpApiEndpoint.Middleware<Endpoint> ? true : false;

/** The services that a handler may use. */
type Services<Endpoint> =
  | HttpServerRequest.HttpServerRequest
  | Scope.Scope
  | (IsGuarded<Endpoint> extends true ? Principal.CurrentPrincipal : never);

type Decoded<Request> = Omit<Request, "request" | "endpoint" | "group" | "payload"> &
  (Request extends { readonly payload: infer Payload }
    ? { readonly payload: Payload extends Stream.Stream<unknown, unknown> ? SentFile : Payload }
    : unknown);

/** A call: the decoded parts, the request, and the caller if the endpoint requires one. */
type Call<Endpoint> = Decoded<HttpApiEndpoint.Request<Endpoint>> & {
  readonly request: HttpServerRequest.HttpServerRequest;
  readonly caller: IsGuarded<Endpoint> extends true ? Caller : null;
};

/** The type of a success value, in its decoded form. */
type Success<Endpoint> = Endpoint extends HttpApiEndpoint.Constraint
  ? Exclude<
      Effect.Success<ReturnType<HttpApiEndpoint.Handler<Endpoint, never, never>>>,
      HttpServerResponse.HttpServerResponse
    >
  : never;

/** Core's errors whose problems the contract declares for the endpoint. */
type RefusalOf<Problem, R = Refusal.Refusal> = R extends Refusal.Refusal
  ? Refusal.ProblemOf<R> extends Problem
    ? R
    : never
  : never;

type Handler<Endpoint> = (
  call: Call<Endpoint>,
) => Effect.Effect<
  Reply<Success<Endpoint>, RefusalOf<HttpApiEndpoint.Errors<Endpoint>>, Services<Endpoint>>,
  RefusalOf<HttpApiEndpoint.Errors<Endpoint>>,
  Services<Endpoint>
>;

type HandlersOf<Id extends GroupId> = {
  readonly [Name in keyof EndpointsOf<Id>]: Handler<EndpointsOf<Id>[Name]>;
};

/** A handler for each endpoint of one group. */
export interface Handlers<Id extends GroupId> {
  readonly group: Id;
  readonly endpoints: HandlersOf<Id>;
}

export const of = <const Id extends GroupId>(
  group: Id,
  endpoints: HandlersOf<Id>,
): Handlers<Id> => ({ group, endpoints });

/** Adds the routes of a group to the router. */
export const layer = <Id extends GroupId, E, R>(build: Effect.Effect<Handlers<Id>, E, R>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { endpoints, group } = yield* build;
      const router = yield* HttpRouter.HttpRouter;
      const { route } = yield* Endpoints;
      const handlers = new Map(Object.entries(endpoints as Readonly<Record<string, AnyHandler>>));
      // Not `HttpApi.reflect`, which derives the schemas of every response.
      const all: ReadonlyArray<HttpApiEndpoint.Top> = Object.values(Api.groups[group].endpoints);
      const routes = all.flatMap((endpoint) => {
        const handler = handlers.get(endpoint.identifier);
        return handler === undefined ? [] : [route(endpoint, handler)];
      });
      yield* router.addAll(routes);
    }),
  );
