import { Layer } from "effect";
import { AgentSessions } from "./AgentSessions.ts";
import { Keys } from "./Keys.ts";
import { Sessions } from "./Sessions.ts";

/** The services of keys and sessions. */
export const layer = Sessions.layerNoDeps.pipe(
  Layer.provideMerge(Keys.layerNoDeps),
  Layer.provideMerge(AgentSessions.layer),
);
