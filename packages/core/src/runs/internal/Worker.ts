/**
 * A process that calls tools and renews its runs with its calls, without a host that sends
 * heartbeats.
 */
export interface Worker {
  /** Identifies it among the workers of its agent. */
  readonly id: string;
  /** The run that the worker was started for; null if it claims its own. */
  readonly runId: string | null;
  /** Whether several processes may share the id. */
  readonly isShared: boolean;
}
