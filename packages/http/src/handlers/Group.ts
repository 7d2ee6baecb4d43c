import { Context, Effect, Layer } from "effect";
import { HttpApiBuilder } from "effect/http-api";

/**
 * Groups of handlers whose requests run in a small context.
 *
 * `HttpApiBuilder.group` gives each request every service that there was when the routes were
 * built, and on the way of a request the map of them is copied again and again. The services of
 * core and of its ports are the most of them, and no request looks for one: handlers take them
 * when they are built.
 */

/** Without the services of core. */
const isForRequests = (key: string) => !key.startsWith("@quartermaster/core/");

const forRequests = <R>(context: Context.Context<R>): Context.Context<R> =>
  Context.makeUnsafe(new Map([...context.mapUnsafe].filter(([key]) => isForRequests(key))));

/** The layer, built without the services of core. */
export const lean = <A, E, R>(layer: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
  Layer.fromBuild((memoMap, scope) =>
    Effect.updateContext(
      Layer.buildWithMemoMap(layer, memoMap, scope),
      (context: Context.Context<R>) => forRequests(context),
    ),
  );

/** As `HttpApiBuilder.group`. */
export const group: typeof HttpApiBuilder.group = (api, name, build) =>
  Layer.unwrap(
    Effect.map(Effect.context<never>(), (context) =>
      lean(
        HttpApiBuilder.group(api, name, ((handlers: never) => {
          const built = build(handlers);
          return Effect.isEffect(built) ? Effect.provideContext(built, context) : built;
        }) as typeof build),
      ),
    ),
  );
