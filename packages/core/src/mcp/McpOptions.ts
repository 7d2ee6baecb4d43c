import { Context } from "effect";

/** Time limits for MCP servers. */
export const McpOptions = Context.Reference<{
  /** For a verify, and for opening a connection. The preparation of a package has its own limit. */
  readonly verifySeconds: number;
  /** For a tool call without progress. */
  readonly toolSeconds: number;
  /** How long an unused connection stays open. */
  readonly idleSeconds: number;
}>("@quartermaster/core/mcp/McpOptions", {
  defaultValue: () => ({ verifySeconds: 30, toolSeconds: 60, idleSeconds: 300 }),
});
