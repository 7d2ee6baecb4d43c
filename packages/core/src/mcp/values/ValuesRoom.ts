import { Layer } from "effect";
import { Rotation } from "./Rotation.ts";
import { Targets } from "./Targets.ts";
import { Variables } from "./Variables.ts";

/** The services of the values of servers' variables. */
export const layer = Layer.mergeAll(
  Rotation.layerNoDeps,
  Targets.layerNoDeps,
  Variables.layerNoDeps,
);
