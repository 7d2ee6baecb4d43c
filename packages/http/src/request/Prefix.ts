import { Context, Effect, Layer } from "effect";
import { HttpRouter, HttpServerResponse } from "effect/http";
import { routerConfig } from "./RouteTable.ts";

/**
 * Mounts the routes below a path of the host. Inside, paths are as in the contract: the prefix is
 * removed from requests and added to `Location`. Other responses that contain a path must add
 * `HttpOptions.prefix` themselves.
 */

/** Segments without characters that routers and URLs treat specially. */
const wellFormed = /^(\/[A-Za-z0-9._~-]+)+$/;

const withPrefix =
  (prefix: string) =>
  (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
    const { location } = response.headers;
    return location?.startsWith("/") === true
      ? HttpServerResponse.setHeader(response, "location", `${prefix}${location}`)
      : response;
  };

/** Gives the routes a separate router, so that their envelope applies only to them. */
export const layer = <R>(
  prefix: string,
  routes: Layer.Layer<never, never, R | HttpRouter.HttpRouter>,
) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      if (!wellFormed.test(prefix)) {
        return yield* Effect.die(
          new Error(`Set the prefix to a path such as "/quartermaster": "${prefix}" is not one.`),
        );
      }
      const host = yield* HttpRouter.HttpRouter;
      const { asHttpEffect } = yield* Layer.build(
        Layer.provideMerge(routes, Layer.fresh(HttpRouter.layer)),
      ).pipe(
        Effect.map((context) => Context.get(context, HttpRouter.HttpRouter)),
        Effect.provideService(HttpRouter.RouterConfig, routerConfig),
      );
      // The envelope has already turned every failure into a response.
      const app = Effect.map(Effect.orDie(asHttpEffect()), withPrefix(prefix));
      // An interruption reaches only the handler, so that the envelope observes the end of the
      // request.
      yield* host.prefixed(prefix).add("*", "/*", app, { uninterruptible: true });
    }),
  );
