import { type McpConnector, type ToolCall, ToolGateway } from "@quartermaster/core";
import { Effect } from "effect";
import * as Reply from "../endpoint/Reply.ts";
import * as Handlers from "./Handlers.ts";

/** A result with every member of the contract, and no others. */
const whole = (result: McpConnector.ToolResult): ToolCall.ToolCallResult => ({
  content: result.content,
  structuredContent: result.structuredContent ?? null,
  isError: result.isError ?? false,
});

export const layer = Handlers.layer(
  Effect.gen(function* () {
    const gateway = yield* ToolGateway.ToolGateway;

    return Handlers.of("tools", {
      list: ({ params }) => Reply.ok(gateway.list(params.agentId)),
      call: ({ params, payload }) =>
        Reply.ok(Effect.map(gateway.call(params.agentId, payload), whole)),
      calls: ({ query }) => Reply.page(query, (page) => gateway.calls(page)),
    });
  }),
);
