import { Layer } from "effect";
import { PinnedTools } from "./PinnedTools.ts";
import { Pins } from "./Pins.ts";

/** The services of pinned tools. */
export const layer = Layer.merge(PinnedTools.layer, Pins.layerNoDeps);
