import { Metric } from "effect";

/** What this node's agents do, counted after the commit. */

const counter = (name: string, description: string) =>
  Metric.counter(`quartermaster_${name}_total`, { description, incremental: true });

export const heartbeats = counter("heartbeats", "Heartbeats of agents.");

export const claims = counter("claims", "Runs that a heartbeat started.");
