import { Context, Effect, References, Tracer } from "effect";

/** Spans for calls whose tracer exports them. A span that nothing exports costs more than a small call. */

/** Whether the tracer of a context exports spans: effect's native tracer does not. */
export const isSeen = (context: Context.Context<never>): boolean =>
  Context.get(context, References.TracerEnabled) &&
  Context.get(context, Tracer.Tracer) !== Tracer.nativeTracer;

/** As `Effect.fn`, a generator function whose calls are spans of that name. */
export const fn = (name: string): typeof Effect.fnUntraced =>
  ((...parts: Parameters<typeof Effect.fnUntraced>) => {
    const f = Effect.fnUntraced(...parts) as (
      ...args: ReadonlyArray<unknown>
    ) => Effect.Effect<unknown, unknown>;
    return (...args: ReadonlyArray<unknown>) =>
      Effect.withFiber<unknown, unknown>((fiber) =>
        isSeen(fiber.context as Context.Context<never>)
          ? Effect.withSpan(f(...args), name)
          : f(...args),
      );
  }) as typeof Effect.fnUntraced;
