import { Runs } from "@quartermaster/core";
import { Effect } from "effect";
import { Explained, type Refusal } from "./Refusals.ts";

/** The number of ended runs that are read. A second hand-in names a run that ended a short time ago. */
const readRuns = 20;

const others =
  " Other live runs of your agent are in runIds. If the process of one is gone, take it over with work_turn, its runId and takeOver.";

/**
 * Adds a sentence to the refusal of a second hand-in: the run that it names was already handed in, or without one
 * the agent's last run that ended.
 */
export const make = Effect.gen(function* () {
  const runs = yield* Runs.Runs;

  return Effect.fnUntraced(function* (agentId: string, refusal: Refusal) {
    if (refusal._tag !== "NoRun" && refusal._tag !== "RunEnded") return yield* Effect.fail(refusal);
    // An agent without runs may be unknown.
    const ended = yield* runs.list(agentId, { status: "ended", limit: readRuns }).pipe(
      Effect.map(({ items }) => items),
      Effect.orElseSucceed(() => []),
    );
    const meant =
      refusal._tag === "NoRun" ? ended[0] : ended.find((run) => run.id === refusal.runId);
    if (meant?.outcome == null) return yield* Effect.fail(refusal);
    const hasOthers = refusal._tag === "NoRun" && (refusal.runIds ?? []).length > 0;
    return yield* new Explained({
      refusal,
      detail: `Your last run was handed in as ${meant.outcome} at ${meant.endedAt}. There is nothing to do.${hasOthers ? others : ""}`,
    });
  });
});
