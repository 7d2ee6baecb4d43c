import { Metric } from "effect";
import type { RunOutcome } from "./Run.ts";

const finished = Metric.counter("quartermaster_finished_runs_total", {
  description: "Runs that their agent finished, by outcome.",
  incremental: true,
});

/** The runs that agents finished at this node, counted after the commit. */
export const finishedWith = (outcome: RunOutcome) => Metric.withAttributes(finished, { outcome });
