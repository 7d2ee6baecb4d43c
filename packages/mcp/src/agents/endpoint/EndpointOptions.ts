import { Context } from "effect";

/** Limits of the agents' endpoint that a host may set. */
export const EndpointOptions = Context.Reference<{
  /** Sessions of legacy protocol versions on this node. A new one replaces the least recently used. */
  readonly maxSessions: number;
  readonly maxSessionsPerKey: number;
  /** Open streams of `subscriptions/listen` per key. */
  readonly maxSubscriptionsPerKey: number;
  /** Seconds after its last use until a session without an open stream expires. */
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
