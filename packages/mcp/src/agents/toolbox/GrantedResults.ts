import { type McpConnector, Resource } from "@quartermaster/core";

/** The results of granted tools. */

/**
 * Rewrites URIs in the result to the form that `resources/read` accepts. Server names contain no
 * underscore.
 */
export const withResources = (
  tool: string,
  { content, ...result }: McpConnector.ToolResult,
): McpConnector.ToolResult => {
  const [server = ""] = tool.split("__", 1);
  return { content: content.map((block) => Resource.namespacedBlock(server, block)), ...result };
};

/** The message for a granted tool that cannot be called, by reason. */
export const unusable: Readonly<Record<string, (name: string) => string>> = {
  notGranted: (name) => `${name} is not granted any more. Do without it.`,
  notEnabled: (name) => `${name} is not available: an Admin disabled its server. Do without it.`,
  withheld: (name) => `${name} is withheld until an Admin accepts it. Do without it.`,
};
