import { Effect } from "effect";
import { type Connection, ConnectorError, type ToolResult } from "../../McpConnector.ts";

/** How deep what a server says may be nested: whoever reads it goes down level by level. */
const mostLevels = 256;

const isTooDeep = (value: unknown, levels = mostLevels): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((member) => isTooDeep(member, levels - 1)));

/** The same connection, which fails where the server's answer is nested too deep. */
export const connection = (one: Connection): Connection => ({
  ...one,
  listTools: Effect.filterOrFail(
    one.listTools,
    (tools) => !isTooDeep(tools),
    () =>
      new ConnectorError({
        reason: "listFailed",
        message: `Its list of tools is nested more than ${mostLevels} levels deep.`,
        sent: true,
      }),
  ),
  callTool: (name, args, options) =>
    Effect.map(one.callTool(name, args, options), (result) =>
      isTooDeep(result) ? tooDeep : result,
    ),
});

const tooDeep: ToolResult = {
  content: [
    { type: "text", text: `The server's result is nested more than ${mostLevels} levels deep.` },
  ],
  isError: true,
};
