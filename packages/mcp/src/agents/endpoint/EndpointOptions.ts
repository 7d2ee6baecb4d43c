import { Context } from "effect";

/** Limits of the agents' endpoint that a host may set. */
export const EndpointOptions = Context.Reference<{
  /**
   * The maximum number of sessions of legacy protocol versions on this node. A new session replaces
   * the least recently used one.
   */
  readonly maxSessions: number;
  readonly maxSessionsPerKey: number;
  /** The maximum number of open `subscriptions/listen` streams per key. */
  readonly maxSubscriptionsPerKey: number;
  /** Seconds of disuse after which a session without an open stream expires. */
  readonly idleSeconds: number;
  /** Tools per page of `tools/list`. */
  readonly pageSize: number;
}>("@quartermaster/mcp/agents/endpoint/EndpointOptions", {
  defaultValue: () => ({
    maxSessions: 4_096,
    maxSessionsPerKey: 64,
    maxSubscriptionsPerKey: 64,
    idleSeconds: 1_800,
    pageSize: 250,
  }),
});
