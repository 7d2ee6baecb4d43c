import { Context, Effect, Layer } from "effect";
import { HttpRouter, HttpServerResponse } from "effect/http";
import { routerConfig } from "./RouteTable.ts";

/**
 * The routes below a path of the host. Within them, paths are as in the contract: the prefix is
 * removed from the request and added to `Location`. All other responses that contain a path of this
 * service add `HttpOptions.prefix` themselves.
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

/** The routes have a router of their own, so what they do around responses holds for them only. */
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
      // The envelope has turned every failure into a response.
      const app = Effect.map(Effect.orDie(asHttpEffect()), withPrefix(prefix));
      // Of an interrupted request, only the handler is interrupted, so that the envelope sees its end.
      yield* host.prefixed(prefix).add("*", "/*", app, { uninterruptible: true });
    }),
  );
