/** The official conformance suite of MCP, in the form that npx accepts. */
export const suite = "@modelcontextprotocol/conformance@0.1.16";
