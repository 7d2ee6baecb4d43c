import { Layer } from "effect";
import { GivenSecrets } from "./GivenSecrets.ts";
import { Rotation } from "./Rotation.ts";
import { Targets } from "./Targets.ts";
import { Variables } from "./Variables.ts";

/** The services of the values of servers' variables. */
export const layer = Layer.mergeAll(
  GivenSecrets.layerNoDeps,
  Rotation.layerNoDeps,
  Targets.layerNoDeps,
  Variables.layerNoDeps,
);
