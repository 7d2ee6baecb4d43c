import { Context } from "effect";

/** Time limits of what is done with MCP servers. */
export const McpOptions = Context.Reference<{
  /** Of a verify, and of opening a connection. The preparation of a package has its own. */
  readonly verifySeconds: number;
  /** Of a tool call without progress. */
  readonly toolSeconds: number;
  /** How long a connection that nobody uses is kept. */
  readonly idleSeconds: number;
}>("@quartermaster/core/mcp/McpOptions", {
  defaultValue: () => ({ verifySeconds: 30, toolSeconds: 60, idleSeconds: 300 }),
});
