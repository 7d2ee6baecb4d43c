import { Clock, Effect } from "effect";
import * as Timestamp from "../Timestamp.ts";
import { Transactor } from "../Transactor.ts";
import { AgentStore } from "./AgentStore.ts";

/** The shortest time between two stored signs of life of an agent. */
const everyMillis = 10_000;

/** The number of agents whose last sign of life this node remembers. */
const remembered = 10_000;

/** Returns the function that records requests of agents in the background. */
export const make = Effect.gen(function* () {
  const store = yield* AgentStore;
  const { transact } = yield* Transactor;
  const scope = yield* Effect.scope;
  const last = new Map<string, number>();

  return (agentId: string): Effect.Effect<void> =>
    Effect.flatMap(Clock.currentTimeMillis, (millis) => {
      const since = millis - (last.get(agentId) ?? Number.NEGATIVE_INFINITY);
      // Negative if the clock was set back.
      if (since >= 0 && since < everyMillis) return Effect.void;
      if (last.size >= remembered) last.clear();
      last.set(agentId, millis);
      return transact(store.heartbeat(agentId, Timestamp.ofMillis(millis))).pipe(
        Effect.catch((error) => Effect.logDebug("Cannot store a sign of life of an agent", error)),
        Effect.forkIn(scope),
        Effect.asVoid,
      );
    });
});
