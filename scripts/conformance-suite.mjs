/** The official conformance suite of MCP, as npx takes it. */
export const suite = "@modelcontextprotocol/conformance@0.1.16";
