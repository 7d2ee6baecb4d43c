import { type Fiber, References, Tracer } from "effect";

/**
 * Whether spans of the fiber reach a tracer. Effect's native tracer exports nothing, and creating a
 * span for it takes longer than a small statement does.
 */
export const isTraced = (fiber: Fiber.Fiber<unknown, unknown>): boolean =>
  fiber.getRef(References.TracerEnabled) && fiber.getRef(Tracer.Tracer) !== Tracer.nativeTracer;
