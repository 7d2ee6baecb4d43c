import { Context, type Effect } from "effect";
import type { Progress } from "./McpConnector.ts";
import type * as Passed from "./Passed.ts";

/**
 * Port: the other nodes of the service. Null for a host without other nodes: it runs every server itself, and
 * has no leases of processes.
 */
export const Nodes = Context.Reference<{
  /** The URL at which other nodes reach this one; null if they cannot. */
  readonly url: string | null;
  /**
   * Passes a request on to the node at this URL. Interruption cancels it there. Fails with `otherNode` if that
   * node did not take it, or, with `sent`, if the connection to it was lost.
   */
  readonly pass: (
    url: string,
    request: Passed.Request,
    onProgress: (progress: Progress) => Effect.Effect<void>,
  ) => Effect.Effect<Passed.Response, Passed.Failure>;
} | null>("@quartermaster/core/mcp/Nodes", { defaultValue: () => null });
