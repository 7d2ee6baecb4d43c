import { Context } from "effect";

/** Limits for MCP servers. The last two are the defaults of installed servers. */
export const McpOptions = Context.Reference<{
  /**
   * The time limit for a verification, and for opening a connection. Preparing a package has its
   * own limit.
   */
  readonly verifySeconds: number;
  /** The time limit for a tool call without progress. */
  readonly toolSeconds: number;
  /** The time after which an unused connection is closed; 0: never. */
  readonly idleSeconds: number;
  /** The largest result of a call, up to 32 MiB. */
  readonly maxResultBytes: number;
}>("@quartermaster/core/mcp/McpOptions", {
  defaultValue: () => ({
    verifySeconds: 30,
    toolSeconds: 60,
    idleSeconds: 300,
    maxResultBytes: 4 * 1024 * 1024,
  }),
});
