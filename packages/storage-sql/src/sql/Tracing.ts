import { type Fiber, References, Tracer } from "effect";

/**
 * Whether a tracer receives spans of the fiber. Effect's native tracer exports nothing, and
 * creating its spans takes longer than a small statement.
 */
export const isTraced = (fiber: Fiber.Fiber<unknown, unknown>): boolean =>
  fiber.getRef(References.TracerEnabled) && fiber.getRef(Tracer.Tracer) !== Tracer.nativeTracer;
