import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import * as NodeCrypto from "@effect/platform-node/NodeCrypto";
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer";
import type { KeyStore, Transactor } from "@quartermaster/core";
import { Context, Effect, Latch, Layer, ManagedRuntime, Option, Scope } from "effect";
import { HttpEffect, HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http";
import * as Problem from "./api/Problem.ts";
import { HttpOptions, type HttpSettings, defaults } from "./HttpOptions.ts";
import * as Refused from "./request/Refused.ts";
import * as ServedHost from "./request/ServedHost.ts";
import * as Routes from "./Routes.ts";
import { Shutdown } from "./system/Shutdown.ts";
import * as SystemHandlers from "./system/SystemHandlers.ts";

/**
 * The services that the routes call. The runtime of `Quartermaster.open` provides them, as does
 * `Core.layerMcp` over its ports.
 */
export type Services = Routes.Services | KeyStore.KeyStore | Transactor.Transactor;

/** The settings of the routes. `prefix` is the path at which they are mounted. */
export type Options = {
  readonly [K in Exclude<keyof HttpSettings, "shutdown">]?: HttpSettings[K] | undefined;
};

/** The remote end of the connection. Bun and Hono's `getConnInfo` return objects of this shape. */
export interface Peer {
  readonly address?: string | undefined;
}

/** Every route, as request listeners for a host. They need the whole path, with the prefix. */
export interface Mount {
  /**
   * For hosts with the platform's `Request`, such as Hono, Bun and Deno. Without `peer`, all
   * clients share one limit of failed authentications, and requests that carry secrets need
   * `https:`.
   */
  readonly fetch: (request: Request, peer?: Peer) => Promise<Response>;
  /** For hosts with Node's requests, such as Express and Fastify. No parser may read the body first. */
  readonly node: (
    request: IncomingMessage | Http2ServerRequest,
    response: ServerResponse | Http2ServerResponse,
  ) => void;
  /**
   * Finishes event streams, refuses further requests (503), and waits up to 10 seconds for the requests
   * in flight. Call it before closing the host's server, which waits for its streams.
   */
  close(): Promise<void>;
}

/** The time limit for requests in flight at shutdown. */
const drainTime = "10 seconds";

/** The services that the router provides. */
type Platform = HttpServerRequest.HttpServerRequest | Scope.Scope;

const CurrentPeer = Context.Reference<Peer>("@quartermaster/http/Mount/CurrentPeer", {
  defaultValue: () => ({}),
});

/**
 * Restores the URL that the client sent: Express removes the path at which a handler is mounted.
 */
const received = (
  request: HttpServerRequest.HttpServerRequest,
  { address }: Peer,
): HttpServerRequest.HttpServerRequest => {
  if (address !== undefined) return request.modify({ peerAddress: Option.some(address) });
  const { originalUrl } = request.source as { readonly originalUrl?: unknown };
  return typeof originalUrl === "string" && originalUrl.startsWith("/")
    ? request.modify({ url: originalUrl })
    : request;
};

/** The response to a request whose path does not start with the prefix. */
const misrouted = (prefix: string) =>
  Refused.from(
    new Problem.NotFound({
      detail: `Keep ${prefix} in the path that Quartermaster receives: it was mounted with this prefix.`,
      resource: "path",
      id: null,
    }),
    { "x-content-type-options": "nosniff" },
  );

/** Counts the requests in flight, streams included. */
const counter = () => {
  const idle = Latch.makeUnsafe(true);
  let inFlight = 0;
  const end = Effect.sync(() => {
    inFlight -= 1;
    if (inFlight === 0) idle.openUnsafe();
  });
  return {
    idle: idle.await,
    /** Counts the request until its scope closes. */
    begin: (scope: Scope.Scope) => {
      inFlight += 1;
      idle.closeUnsafe();
      return Scope.addFinalizer(scope, end);
    },
  };
};

class Handlers extends Context.Service<Handlers, Omit<Mount, "close">>()(
  "@quartermaster/http/Mount/Handlers",
) {}

/** Applies the defaults. An option that is undefined also gets its default. */
const settle = (options: Options): HttpSettings => {
  const given = Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  );
  return { ...defaults, ...given };
};

const isOrigin = (text: string): boolean => URL.parse(text)?.origin === text;

/** The first error in the settings; undefined if there is none. */
const problemOf = ({ allowedHosts, allowedOrigins, publicUrl }: HttpSettings) => {
  const origin = `an origin such as "https://example.com"`;
  if (publicUrl !== null && !isOrigin(publicUrl)) {
    return `Set publicUrl to ${origin}: "${publicUrl}" is not one.`;
  }
  const badOrigin = allowedOrigins.find((text) => !isOrigin(text));
  if (badOrigin !== undefined) {
    return `Give each of allowedOrigins as ${origin}: "${badOrigin}" is not one.`;
  }
  const badHost = allowedHosts.find((text) => !ServedHost.isHost(text));
  return badHost === undefined
    ? undefined
    : `Give each of allowedHosts as a host name such as "quartermaster:7420": "${badHost}" is not one.`;
};

const make = Effect.fnUntraced(function* (options: Options) {
  const shutdown = yield* Shutdown;
  const settings = { ...settle(options), shutdown };
  const { prefix } = settings;
  const problem = problemOf(settings);
  if (problem !== undefined) return yield* Effect.die(new Error(problem));
  const routes = Routes.layer.pipe(
    Layer.provide(SystemHandlers.layer),
    Layer.merge(prefix === "" ? Layer.empty : HttpRouter.add("*", "/*", misrouted(prefix))),
    Layer.provide(NodeCrypto.layer),
    Layer.provide(Layer.succeed(HttpOptions, settings)),
  );
  const app = yield* Effect.provideService(
    HttpRouter.toHttpEffect(routes),
    HttpRouter.RouterConfig,
    Routes.routerConfig,
  );
  const requests = counter();
  const handled = Effect.withFiber<HttpServerResponse.HttpServerResponse, unknown, Platform>(
    (fiber) => {
      const { context } = fiber;
      const request = Context.getUnsafe(context, HttpServerRequest.HttpServerRequest);
      const peer = Context.get(context, CurrentPeer);
      return Effect.andThen(
        requests.begin(Context.getUnsafe(context, Scope.Scope)),
        Effect.provideService(app, HttpServerRequest.HttpServerRequest, received(request, peer)),
      );
    },
  );
  // Closing the scope interrupts Node's requests. It closes after the finalizer below has run.
  const scope = yield* Scope.fork(yield* Effect.scope);
  const node = yield* NodeHttpServer.makeHandler(handled, { scope });
  const context = yield* Effect.context<never>();
  const web = HttpEffect.toWebHandlerWith<never, Platform>(context)(handled);
  // Finalizers run in reverse order: the routes stay until the requests in flight have finished.
  yield* Effect.addFinalizer(() =>
    Effect.andThen(
      shutdown.start,
      Effect.timeoutOption(Effect.interruptible(requests.idle), drainTime),
    ),
  );
  return Handlers.of({
    node,
    fetch: (request, peer = {}) => web(request, Context.make(CurrentPeer, peer)),
  });
});

/**
 * Mounts every route, including health and documentation, in a host that does not use Effect.
 * Rejects if the prefix, the public URL, an allowed origin or an allowed host is malformed.
 */
export const open = async (
  runtime: ManagedRuntime.ManagedRuntime<Services, unknown>,
  options: Options = {},
): Promise<Mount> => {
  const services = Layer.succeedContext(await runtime.context());
  const mounted = ManagedRuntime.make(
    Layer.effect(Handlers, make(options)).pipe(Layer.provide([Shutdown.layer, services])),
  );
  const close = () => mounted.dispose();
  const handlers = await mounted.runPromise(Handlers).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return { ...handlers, close };
};
