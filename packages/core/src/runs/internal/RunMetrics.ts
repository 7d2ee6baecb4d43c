import { Metric } from "effect";

/** Metrics of this node's agents, counted after the commit. */

const counter = (name: string, description: string) =>
  Metric.counter(`quartermaster_${name}_total`, { description, incremental: true });

export const heartbeats = counter("heartbeats", "Heartbeats of agents.");

export const claims = counter("claims", "Runs that a heartbeat started.");
