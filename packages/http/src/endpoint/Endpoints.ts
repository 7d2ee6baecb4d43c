import {
  Agents,
  CoreOptions,
  CurrentClient,
  CurrentKey,
  CurrentProcess,
  Idempotency,
  Principal,
  type Run,
} from "@quartermaster/core";
import { Context, Effect, Layer, Result, type Scope } from "effect";
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http";
import type { HttpApiEndpoint } from "effect/http-api";
import * as Access from "../api/Access.ts";
import * as Problem from "../api/Problem.ts";
import type * as Refusal from "../api/Refusal.ts";
import { HttpOptions } from "../HttpOptions.ts";
import { type Caller, Callers } from "../request/Caller.ts";
import * as Connection from "../request/Connection.ts";
import * as JsonBody from "../request/JsonBody.ts";
import * as MultipartBody from "../request/MultipartBody.ts";
import * as NamedRun from "../request/NamedRun.ts";
import * as NamedWorker from "../request/NamedWorker.ts";
import * as RateLimits from "../request/RateLimits.ts";
import * as Refused from "../request/Refused.ts";
import * as Decoding from "./Decoding.ts";
import { CurrentExchange, type Exchange } from "./Exchange.ts";
import * as Guard from "./Guard.ts";
import * as Pages from "./Pages.ts";

/**
 * Runs the endpoints of the contract. Each endpoint is compiled once; a request then passes these
 * steps, and the first refusal is the response:
 *
 * 1. authentication (401), the key's rate limit (429), the endpoint's guard (403), the run that the
 * request acts for (403)
 * 2. the body: media type (415), size (413), encoding, `Idempotency-Key` (400)
 * 3. decoding of path, headers, query and body (400)
 * 4. the handler, which calls core as the caller; core's refusals become problems
 * 5. the response: the encoded value, a page, or the handler's own response
 *
 * The envelope around the router responds to unknown routes, defects and shutdown.
 */

type Response = HttpServerResponse.HttpServerResponse;
/** The services that the router provides. */
type Platform = HttpServerRequest.HttpServerRequest | Scope.Scope;
type Answer<R> = Effect.Effect<Response, never, R>;
type Services = Principal.CurrentPrincipal | Platform;

/** A handler without its types. `Handlers` types it by its endpoint. */
export type AnyHandler = (
  call: never,
) => Effect.Effect<Pages.AnyReply<Refusal.Refusal, Services>, Refusal.Refusal, Services>;

/** The state of a request between the steps. */
interface Call {
  readonly request: HttpServerRequest.HttpServerRequest;
  readonly exchange: Exchange;
  readonly params: HttpRouter.RouteContext["Service"]["params"];
  readonly query: Readonly<Record<string, string | Array<string>>>;
  readonly caller: Caller | null;
}

const tooMany = new Problem.RateLimited({
  detail: "This key made too many requests. Retry after the delay in `Retry-After`.",
});

/** The comment of `User-Agent` with which the client and the bridge name their process. */
const comment = / ?\(host=([\w.:@-]{1,64}); pid=(\d{1,10})\)/;

/** The facts in the headers about the process that sent the request. */
const processOf = (request: HttpServerRequest.HttpServerRequest): Run.RunWorker => {
  const agent = request.headers["user-agent"]?.slice(0, 200) ?? "";
  const [, host, pid] = comment.exec(agent) ?? [];
  return {
    name: NamedWorker.nameOf(request),
    client: agent.replace(comment, "") || null,
    host: host ?? null,
    pid: pid === undefined ? null : Number(pid),
  };
};

const keyRefused = Decoding.invalid([
  {
    path: "idempotency-key",
    message: "is not supported here; send the request without it",
  },
]);

const bodyRefused = Decoding.invalid([
  { path: "", message: "Expected no body, or an empty object" },
]);

const refuse = (refusal: Refusal.Refusal): Answer<never> =>
  Effect.succeed(Refused.because(refusal));

type Respond = Effect.Success<typeof Pages.responder>;
type Served = (call: Call, body: JsonBody.Body | null) => Answer<Services>;

/** Runs steps 3 to 5 as the caller. */
const serving =
  (respond: Respond) =>
  (endpoint: HttpApiEndpoint.Top, handler: AnyHandler): Served => {
    const decode = Decoding.compile(endpoint);
    const isMultipart = endpoint.payload.has("multipart/form-data");
    return (call: Call, body: JsonBody.Body | null): Answer<Services> => {
      const { caller, exchange, params, query, request } = call;
      const decoded = decode({ params, query, headers: request.headers, body });
      if (Result.isFailure(decoded)) return Effect.succeed(decoded.failure);
      const parts = { ...decoded.success, request, caller };
      const handled = isMultipart
        ? Effect.flatMap(MultipartBody.read(request), (payload) =>
            handler({ ...parts, payload } as never),
          )
        : handler(parts as never);
      return Effect.matchEffect(handled, {
        onFailure: refuse,
        onSuccess: (reply) => respond(reply, request, exchange),
      });
    };
  };

/** Runs step 2 for methods that have a body. */
const receiving =
  (maxJsonBytes: number, maxAttachmentBytes: number) =>
  (endpoint: HttpApiEndpoint.Top, next: Served) => {
    const idempotency = Context.get(endpoint.annotations, Access.IdempotencyKey);
    const readJson = JsonBody.reader(
      Math.max(maxJsonBytes, Context.get(endpoint.annotations, Access.JsonBytes)),
    );
    const takesBody = endpoint.payload.size > 0;
    const isMultipart = endpoint.payload.has("multipart/form-data");

    return (call: Call): Answer<Services> => {
      const { caller, request } = call;
      const key = request.headers["idempotency-key"];
      const received = (body: JsonBody.Body | null): Answer<Services> => {
        if (key !== undefined && idempotency === "refused") return Effect.succeed(keyRefused);
        if (!takesBody && body !== null && !/^\s*\{\s*\}\s*$/.test(body.text)) {
          return Effect.succeed(bodyRefused);
        }
        const served = next(call, body);
        return key !== undefined && idempotency === "honoured" && caller !== null
          ? Effect.provideService(served, Idempotency.CurrentRequest, {
              keyId: caller.keyId,
              idempotencyKey: key,
              content: `${request.method} ${request.url}\n${body?.text ?? "{}"}`,
            })
          : served;
      };
      return Effect.matchEffect(
        isMultipart
          ? Effect.as(MultipartBody.check(request, maxAttachmentBytes), null)
          : readJson(request),
        { onFailure: Effect.succeed, onSuccess: received },
      );
    };
  };

/** Runs step 1. */
const admitting = Effect.gen(function* () {
  const callers = yield* Callers;
  const agents = yield* Agents.Agents;
  const limits = yield* RateLimits.RateLimits;
  const acting = yield* NamedRun.make;
  const guardOf = yield* Guard.make;

  return (
    endpoint: HttpApiEndpoint.Top,
    access: Access.Access,
    next: (call: Call) => Answer<Services>,
  ) => {
    const guard = guardOf(endpoint, access);
    return (call: Call): Answer<Platform> => {
      const { exchange, params, request } = call;
      return Effect.matchEffect(callers.identify(request, access.cookie), {
        onFailure: Effect.succeed,
        onSuccess: (caller) =>
          Effect.withFiber((fiber) => {
            exchange.caller = caller;
            const wait = limits.take(caller.keyId, RateLimits.now(fiber));
            if (wait > 0) {
              return Effect.succeed(Refused.from(tooMany, { "retry-after": String(wait) }));
            }
            const refused = guard(caller, request, params);
            if (refused !== null) return Effect.succeed(refused);
            const { principal } = caller;
            const served = NamedWorker.named(request, next({ ...call, caller }));
            const runId = NamedRun.of(request);
            const acted = runId === null ? served : Effect.catch(acting(runId, served), refuse);
            // Takes a third of the time of three `provideService`.
            const admitted = Effect.updateContext(acted, (outer: Context.Context<Platform>) => {
              const keyed = Context.add(outer, CurrentKey.CurrentKey, caller.keyId);
              const sent = Context.add(keyed, CurrentProcess.CurrentProcess, processOf(request));
              return Context.add(sent, Principal.CurrentPrincipal, principal);
            });
            return principal.agentId === null
              ? admitted
              : Effect.andThen(agents.seen(principal.agentId), admitted);
          }),
      });
    };
  };
});

/**
 * The client of a request. Few requests read it. A class: V8 keeps the getters of an object literal, with the request
 * that they close over, until the next collection of the old generation.
 */
class Client implements CurrentClient.Client {
  readonly #request: HttpServerRequest.HttpServerRequest;
  readonly #connection: ReturnType<typeof Connection.make>;

  constructor(
    request: HttpServerRequest.HttpServerRequest,
    connection: ReturnType<typeof Connection.make>,
  ) {
    this.#request = request;
    this.#connection = connection;
  }

  get address(): string | null {
    const address = this.#connection.clientAddress(this.#request);
    return address === Connection.unknown ? null : address;
  }

  get userAgent(): string | null {
    return this.#request.headers["user-agent"] ?? null;
  }
}

export class Endpoints extends Context.Service<
  Endpoints,
  {
    /** Creates the route of an endpoint. */
    route(endpoint: HttpApiEndpoint.Top, handler: AnyHandler): HttpRouter.Route<never, Platform>;
  }
>()("@quartermaster/http/endpoint/Endpoints") {
  static readonly layer = Layer.effect(
    Endpoints,
    Effect.gen(function* () {
      const { maxJsonBytes, trustedProxies } = yield* HttpOptions;
      const connection = Connection.make(trustedProxies);
      const { maxAttachmentBytes } = yield* CoreOptions.CoreOptions;
      const admit = yield* admitting;
      const withBody = receiving(maxJsonBytes, maxAttachmentBytes);
      const serve = serving(yield* Pages.responder);

      const compile = (endpoint: HttpApiEndpoint.Top, handler: AnyHandler) => {
        const { annotations, identifier, method } = endpoint;
        const access = Context.get(annotations, Access.Required);
        if ((access !== null) !== endpoint.middlewares.has(Access.Authorization)) {
          throw new Error(`${identifier} must declare who may call it, as its errors do`);
        }
        const served = serve(endpoint, handler);
        const run =
          method === "GET" || method === "DELETE"
            ? (call: Call) => served(call, null)
            : withBody(endpoint, served);
        // A public endpoint runs without a principal: the types of `Handlers` give its handler
        // none.
        return access === null
          ? (run as (call: Call) => Answer<Platform>)
          : admit(endpoint, access, run);
      };

      return Endpoints.of({
        route: (endpoint, handler) => {
          const run = compile(endpoint, handler);
          return HttpRouter.route(
            endpoint.method,
            endpoint.path as HttpRouter.PathInput,
            Effect.withFiber((fiber) => {
              const { context } = fiber;
              const exchange = Context.getUnsafe(context, CurrentExchange);
              exchange.route = endpoint.path;
              const request = Context.getUnsafe(context, HttpServerRequest.HttpServerRequest);
              const call = {
                request,
                exchange,
                params: Context.getUnsafe(context, HttpRouter.RouteContext).params,
                query: Context.getUnsafe(context, HttpServerRequest.ParsedSearchParams),
                caller: null,
              };
              return Effect.updateContext(run(call), (outer: Context.Context<Platform>) =>
                Context.add(outer, CurrentClient.CurrentClient, new Client(request, connection)),
              );
            }),
          );
        },
      });
    }),
  );
}
