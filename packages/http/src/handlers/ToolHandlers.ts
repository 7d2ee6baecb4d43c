import { type McpConnector, type ToolCall, ToolGateway } from "@quartermaster/core";
import { Effect } from "effect";
import { HttpApiBuilder } from "effect/http-api";
import { Api } from "../api/Api.ts";
import * as Answer from "./Answer.ts";

/** A result with nothing missing, and nothing besides. */
const whole = ({
  content,
  isError = false,
  structuredContent = null,
}: McpConnector.ToolResult): ToolCall.ToolCallResult => ({ content, structuredContent, isError });

export const layer = HttpApiBuilder.group(
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
