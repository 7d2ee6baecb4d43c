import { Layer } from "effect";
import { Claims } from "./internal/Claims.ts";
import { WorkBell } from "./internal/WorkBell.ts";
import { Runs } from "./Runs.ts";
import { Workers } from "./Workers.ts";

/** Runs, and the workers that hold them. */
export const layer = Workers.layerNoDeps.pipe(
  Layer.provideMerge(Runs.layerNoDeps),
  Layer.provide(Layer.merge(Claims.layerNoDeps, WorkBell.layer)),
);
