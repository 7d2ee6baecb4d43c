import { Context, Effect, References, Tracer } from "effect";

/** Spans where somebody sees them. Making one for nobody costs more than a small call does. */

/** Whether the spans of a context go anywhere: nobody sees those of the native tracer. */
export const isSeen = (context: Context.Context<never>): boolean =>
  Context.get(context, References.TracerEnabled) &&
  Context.get(context, Tracer.Tracer) !== Tracer.nativeTracer;

/** The same function, each call of it in a span of that name. */
export const named =
  <Args extends ReadonlyArray<unknown>, A, E, R>(
    name: string,
    f: (...args: Args) => Effect.Effect<A, E, R>,
  ) =>
  (...args: Args): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) => {
      const call = f(...args);
      return isSeen(fiber.context as Context.Context<never>)
        ? (Effect.withSpan(call, name) as Effect.Effect<A, E, R>)
        : call;
    });
