import { Metric } from "effect";
import type { RunOutcome } from "./Run.ts";

const finished = Metric.counter("quartermaster_finished_runs_total", {
  description: "Runs that their agent finished, by outcome.",
  incremental: true,
});

/** Counts the runs that agents finished at this node, after the commit. */
export const finishedWith = (outcome: RunOutcome) => Metric.withAttributes(finished, { outcome });
