import { Runs } from "@quartermaster/core";
import { Effect } from "effect";
import { Explained, type Refusal } from "./Refusals.ts";

/**
 * Adds a sentence to the refusal of a second hand-in: the agent's last run was already handed in.
 */
export const make = Effect.gen(function* () {
  const runs = yield* Runs.Runs;

  return Effect.fnUntraced(function* (agentId: string, refusal: Refusal) {
    // An agent without runs may be unknown.
    const last = yield* runs.list(agentId, { limit: 1 }).pipe(
      Effect.map(({ items }) => items[0]),
      Effect.orElseSucceed(() => undefined),
    );
    const isMeant =
      refusal._tag === "NoRun" || (refusal._tag === "RunEnded" && refusal.runId === last?.id);
    if (!isMeant || last?.outcome == null) return yield* Effect.fail(refusal);
    return yield* new Explained({
      refusal,
      detail: `Your last run was handed in as ${last.outcome} at ${last.endedAt}. There is nothing to do.`,
    });
  });
});
