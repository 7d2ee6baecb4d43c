import { Context } from "effect";

/** Limits of the agents' endpoint that a host may set. */
export const EndpointOptions = Context.Reference<{
  /** Sessions of the older revisions, on this node; the one that was used longest ago makes room. */
  readonly maxSessions: number;
  readonly maxSessionsPerKey: number;
  /** Streams of `subscriptions/listen` that a key may hold open. */
  readonly maxSubscriptionsPerKey: number;
  /** A session without a stream ends when nothing was heard of it for so many seconds. */
  readonly idleSeconds: number;
  /** Tools in a page of `tools/list`. */
  readonly pageSize: number;
}>("@quartermaster/mcp/endpoint/EndpointOptions", {
  defaultValue: () => ({
    maxSessions: 4_096,
    maxSessionsPerKey: 64,
    maxSubscriptionsPerKey: 64,
    idleSeconds: 1_800,
    pageSize: 250,
  }),
});
