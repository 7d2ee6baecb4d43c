import { Metric } from "effect";
import type { RunOutcome } from "../../agents/Run.ts";

/** What this node's agents do, counted after the commit. */

const counter = (name: string, description: string) =>
  Metric.counter(`quartermaster_${name}_total`, { description, incremental: true });

export const heartbeats = counter("heartbeats", "Heartbeats of agents.");

export const claims = counter("claims", "Runs that a heartbeat started.");

export const expiredLeases = counter(
  "expired_leases",
  "Runs that ended because their lease expired.",
);

const finished = counter("finished_runs", "Runs that their agent finished, by outcome.");

export const finishedWith = (outcome: RunOutcome) => Metric.withAttributes(finished, { outcome });
