import { type McpConnector, type ToolCall, ToolGateway } from "@quartermaster/core";
import { Effect } from "effect";
import * as Group from "./Group.ts";
import { Api } from "../api/Api.ts";
import * as Answer from "./Answer.ts";

/** A result with nothing missing, and nothing besides. */
const whole = (result: McpConnector.ToolResult): ToolCall.ToolCallResult => ({
  content: result.content,
  structuredContent: result.structuredContent ?? null,
  isError: result.isError ?? false,
});

export const layer = Group.group(
  Api,
  "tools",
  Effect.fnUntraced(function* (handlers) {
    const gateway = yield* ToolGateway.ToolGateway;

    return handlers.handleAll({
      list: ({ params }) => Answer.ok(gateway.list(params.agentId)),
      call: ({ params, payload }) =>
        Answer.ok(Effect.map(gateway.call(params.agentId, payload), whole)),
      calls: ({ query }) => Answer.page(gateway.calls(query)),
    });
  }),
);
