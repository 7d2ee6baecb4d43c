import { Context } from "effect";

/** Limits for MCP servers. The last two are defaults of servers that are installed. */
export const McpOptions = Context.Reference<{
  /** For a verify, and for opening a connection. The preparation of a package has its own limit. */
  readonly verifySeconds: number;
  /** For a tool call without progress. */
  readonly toolSeconds: number;
  /** How long an unused connection stays open; 0: without end. */
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
